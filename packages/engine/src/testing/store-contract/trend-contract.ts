import { beforeEach, expect, it } from 'vitest';
import type { StationCounts, TrendHour } from '../../port/store.ts';
import { aRecord, put, station } from './fixture/contract-data.ts';
import type { StoreFixture } from './fixture/store-fixture.ts';

const minute = 60_000;
const hour = 60 * minute;

/** A full hour. */
const noon = Date.UTC(2026, 0, 15, 12);

/** After all that the tests write. */
const later = noon + 1000 * hour;

const firing = (count: number) =>
  Array.from({ length: 3 }, (_, n) =>
    aRecord(`vm-${n}`, { state: n < count ? 'ALERTSTATE_FIRING' : 'ALERTSTATE_INACTIVE' }),
  );

/** Of `firing(count)`. */
function counted(count: number): StationCounts {
  const states = { ALERTSTATE_FIRING: count, ALERTSTATE_INACTIVE: 3 - count };
  const byState = Object.fromEntries(Object.entries(states).filter(([, each]) => each > 0));
  return { resources: 3, alertable: 3, uncovered: 3, byState };
}

export function trendContract(fixture: StoreFixture): void {
  const sample = (atMs: number) => fixture.store.trends.sample(atMs, minute / 2);
  const read = (fromMs = 0, toMs = later) => fixture.store.trends.read(station, fromMs, toMs);
  const write = (count: number) => put(fixture.store, firing(count));
  /** Each hour since noon, with how many fire and the most that did. */
  const seen = async (fromMs?: number, toMs?: number) =>
    (await read(fromMs, toMs)).map(({ startMs, counts, peaks }) => [
      (startMs - noon) / hour,
      counts.byState.ALERTSTATE_FIRING ?? 0,
      peaks.ALERTSTATE_FIRING ?? 0,
    ]);

  beforeEach(async () => {
    await fixture.store.createStation(station);
  });

  it('keeps what a station had at the last sample of each hour, also after it was closed and opened', async () => {
    await write(1);
    await sample(noon);
    await write(2);
    await sample(noon + 59 * minute);
    await write(0);
    await sample(noon + hour);
    const hours: TrendHour[] = [
      { startMs: noon, counts: counted(2), peaks: { ALERTSTATE_FIRING: 2, ALERTSTATE_INACTIVE: 2 } },
      { startMs: noon + hour, counts: counted(0), peaks: { ALERTSTATE_FIRING: 2, ALERTSTATE_INACTIVE: 3 } },
    ];
    expect(await read()).toEqual(hours);
    await fixture.reopen();
    expect(await read()).toEqual(hours);
  });

  it('keeps the most that was in a state, however soon it was over', async () => {
    await write(0);
    await sample(noon);
    for (const [at, count] of [3, 1, 2, 0].entries()) {
      await write(count);
      await sample(noon + (20 + at) * minute);
    }
    await sample(noon + hour);
    expect(await seen()).toEqual([
      [0, 0, 3],
      [1, 0, 0],
    ]);
  });

  it('counts what still was at the beginning of an hour among the most of it', async () => {
    await write(3);
    await sample(noon + 59 * minute);
    await write(0);
    await sample(noon + hour);
    await sample(noon + 2 * hour);
    expect(await seen()).toEqual([
      [0, 3, 3],
      [1, 0, 3],
      [2, 0, 0],
    ]);
  });

  it('knows the hours in which nothing changes', async () => {
    await write(1);
    for (let at = 0; at < 5; at++) await sample(noon + at * hour);
    await write(2);
    await sample(noon + 5 * hour);
    expect(await seen()).toEqual([...[0, 1, 2, 3, 4].map((at) => [at, 1, 1]), [5, 2, 2]]);
  });

  it('reads the hours that overlap a time', async () => {
    await write(1);
    for (let at = 0; at < 6; at++) await sample(noon + at * hour);
    const hours = async (fromMs: number, toMs: number) =>
      (await seen(noon + fromMs, noon + toMs)).map(([at]) => at);
    expect(await hours(hour, 3 * hour)).toEqual([1, 2]);
    expect(await hours(hour + 1, 3 * hour + 1)).toEqual([1, 2, 3]);
    expect(await hours(2 * hour, 2 * hour)).toEqual([]);
    expect(await hours(3 * hour, 2 * hour)).toEqual([]);
    expect(await hours(-9 * hour, hour)).toEqual([0]);
    expect(await hours(5 * hour, 99 * hour)).toEqual([5]);
    expect(await hours(6 * hour, 99 * hour)).toEqual([]);
    expect((await read(-Infinity, Infinity)).length).toBe(6);
  });

  it('knows nothing of hours without samples, nor of those before there was a station', async () => {
    await write(1);
    await sample(noon);
    await sample(noon + hour);
    await sample(noon + 5 * hour);
    await write(3);
    await sample(noon + 9 * hour);
    expect((await seen()).map(([at]) => at)).toEqual([0, 1, 5, 9]);
    await fixture.store.deleteStation(station);
    await fixture.store.createStation(station);
    expect(await seen()).toEqual([]);
    await sample(noon + 10 * hour);
    expect(await seen()).toEqual([[10, 0, 0]]);
  });

  it('does not take what was before a gap for what was after it', async () => {
    await write(3);
    await sample(noon);
    await write(1);
    await sample(noon + 4 * hour);
    await sample(noon + 5 * hour);
    expect(await seen()).toEqual([
      [0, 3, 3],
      [4, 1, 1],
      [5, 1, 1],
    ]);
  });

  it('keeps what it knows when the clock is set back or was ahead, and notices gaps after that', async () => {
    await write(1);
    await sample(noon);
    await sample(noon + hour);
    await write(2);
    await sample(noon + 50 * hour);
    await write(3);
    await sample(noon + hour + 30 * minute);
    await sample(noon + 2 * hour);
    expect(await seen(0, noon + 40 * hour)).toEqual([
      [0, 1, 1],
      [1, 3, 3],
      [2, 3, 3],
    ]);
    await sample(noon + 4 * hour);
    expect(await seen(0, noon + 40 * hour)).toEqual([
      [0, 1, 1],
      [1, 3, 3],
      [2, 3, 3],
      [4, 3, 3],
    ]);
  });

  it('takes one sample when several nodes want one', async () => {
    await write(1);
    await sample(noon + 10 * minute);
    await write(3);
    await Promise.all([10, 20, 29].map((seconds) => sample(noon + 10 * minute + seconds * 1000)));
    await sample(noon + 10 * minute - 20_000);
    expect(await seen()).toEqual([[0, 1, 1]]);
    await sample(noon + 11 * minute);
    expect(await seen()).toEqual([[0, 3, 3]]);
  });

  it('samples many stations, whatever they are called and have', async () => {
    const { store } = fixture;
    const addresses = ['a', "'; --", '站 🦄'].map((name) => ({ ...station, name }));
    for (const address of addresses) await store.createStation(address);
    await put(store, [aRecord('x', { state: 'ALERTSTATE_ODD' })], { address: addresses[2]! });
    await sample(noon);
    for (const address of addresses) {
      const [first] = await store.trends.read(address, 0, later);
      expect(first!.counts).toEqual((await store.station(address))!.counts);
    }
  });

  it('forgets old hours, but not what was the case when the remaining ones begin', async () => {
    for (let at = 0; at < 8; at++) {
      await write(at % 2);
      await sample(noon + at * hour);
    }
    for (let at = 8; at < 12; at++) await sample(noon + at * hour);
    await fixture.store.trends.forget(noon + 3 * hour + 1);
    expect((await seen()).map(([at]) => at)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11]);
    await fixture.store.trends.forget(noon + 10 * hour);
    expect(await seen(noon + 10 * hour)).toEqual([
      [10, 1, 1],
      [11, 1, 1],
    ]);
  });

  it('takes in hours of another store, gaps included, and keeps what it has itself', async () => {
    const { store } = fixture;
    const other = { ...station, name: 'other' };
    await write(1);
    await sample(noon);
    await sample(noon + hour);
    await write(2);
    await sample(noon + 2 * hour);
    await sample(noon + 6 * hour);
    const hours = await read();
    await store.createStation(other);
    await store.trends.add(other, hours);
    expect(await store.trends.read(other, 0, later)).toEqual(hours);
    const strange = hours.map((each) => ({ ...each, startMs: each.startMs - 2 * hour, counts: counted(3) }));
    await store.trends.add(other, strange);
    expect(await store.trends.read(other, 0, later)).toEqual([...strange.slice(0, 2), ...hours]);
    await store.trends.add(other, []);
    const early = [1, 2, 3].map((at) => ({ ...hours[0]!, startMs: noon - (20 - at) * hour }));
    await store.trends.add(other, early);
    expect(await store.trends.read(other, noon - 18 * hour, noon - 17 * hour)).toEqual([early[1]]);
    const last = { ...station, name: 'last' };
    await store.createStation(last);
    const ahead = [1, 2, 3].map((at) => ({ ...hours[0]!, startMs: noon + (20 + at) * hour }));
    await store.trends.add(last, ahead);
    expect(await store.trends.read(last, noon + 22 * hour, noon + 23 * hour)).toEqual([ahead[1]]);
  });

  it('does not know unknown stations', async () => {
    const unknown = { ...station, name: 'unknown' };
    const notFound = { code: 'station_not_found' };
    await expect(fixture.store.trends.read(unknown, 0, later)).rejects.toMatchObject(notFound);
    await expect(fixture.store.trends.add(unknown, [])).rejects.toMatchObject(notFound);
  });

  it('fails every call after it was closed', async () => {
    const { trends } = fixture.store;
    await fixture.store.close();
    const unavailable = { code: 'store_unavailable' };
    await expect(trends.sample(noon, 0)).rejects.toMatchObject(unavailable);
    await expect(trends.read(station, 0, later)).rejects.toMatchObject(unavailable);
    await expect(trends.add(station, [])).rejects.toMatchObject(unavailable);
    await expect(trends.forget(noon)).rejects.toMatchObject(unavailable);
    await fixture.reopen();
  });
}
