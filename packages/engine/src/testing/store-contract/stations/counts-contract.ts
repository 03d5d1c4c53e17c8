import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { scale } from '../../../../../../testing/scale.ts';
import type { StationCounts, Store } from '../../../port/store.ts';
import { anyWrites, applyWrite, type Model } from '../fixture/any-write.ts';
import { aRecord, put, readAll, replace, station } from '../fixture/contract-data.ts';
import type { StoreFixture } from '../fixture/store-fixture.ts';

async function recount(store: Store): Promise<StationCounts> {
  const resources = [...(await readAll(store)).put.values()];
  const alertable = resources.filter((resource) => resource.alertable);
  const byState: Record<string, number> = {};
  for (const { state } of resources) byState[state] = (byState[state] ?? 0) + 1;
  return {
    resources: resources.length,
    alertable: alertable.length,
    uncovered: alertable.filter(({ alertRulesCount }) => alertRulesCount === 0).length,
    byState,
  };
}

export function countsContract(fixture: StoreFixture): void {
  beforeEach(async () => {
    await fixture.store.createStation(station);
  });

  it('counts nothing in a new station', async () => {
    const { store } = fixture;
    const counts = { resources: 0, alertable: 0, uncovered: 0, byState: {} };
    const head = await store.head(station);
    expect(await store.station(station)).toEqual({ address: station, head, counts });
  });

  it('counts resources by kind and state, and leaves out states that none is in', async () => {
    const { store } = fixture;
    await put(store, [
      aRecord('a', { state: 'ALERTSTATE_FIRING', alertRulesCount: 2 }),
      aRecord('b', { alertable: false }),
      aRecord('c'),
    ]);
    expect((await store.station(station))?.counts).toEqual({
      resources: 3,
      alertable: 2,
      uncovered: 1,
      byState: { ALERTSTATE_FIRING: 1, ALERTSTATE_INACTIVE: 2 },
    });
    await put(store, [aRecord('a', { state: 'ALERTSTATE_PENDING' })]);
    await store.removeResource(station, 'b');
    const { head } = await replace(store, [aRecord('a'), aRecord('d', { state: 'ALERTSTATE_ODD' })]);
    expect(await store.station(station)).toEqual({
      address: station,
      head,
      counts: {
        resources: 2,
        alertable: 2,
        uncovered: 1,
        byState: { ALERTSTATE_PENDING: 1, ALERTSTATE_ODD: 1 },
      },
    });
  });

  it('counts the same as a recount after any sequence of writes', async () => {
    await fc.assert(
      fc.asyncProperty(anyWrites, async (writes) => {
        const { store } = fixture;
        await store.deleteStation(station);
        await store.createStation(station);
        let model: Model = new Map();
        for (const write of writes) {
          model = await applyWrite(store, model, write);
          expect((await store.station(station))?.counts).toEqual(await recount(store));
        }
      }),
      { numRuns: scale(8, 30) },
    );
  });

  it('shows counts together with the head they belong to', async () => {
    const { store } = fixture;
    const seen: number[] = [];
    store.onBeforeVisible(async () => {
      const { head, counts } = (await store.station(station))!;
      if (counts.resources === head.number) seen.push(head.number);
    });
    await put(store, [aRecord('a')]);
    await put(store, [aRecord('b')]);
    expect(seen).toHaveLength(2);
  });
}
