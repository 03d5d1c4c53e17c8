import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { aBatch, put, station } from '../../testing/station-data.ts';
import { FaultProxy } from '../testing/fault-proxy.ts';
import { useServer } from '../testing/use-server.ts';

const fixture = useServer();

/** A machine may interrupt everything for longer than a node waits for heads in production. */
const open: typeof fixture.open = (options) => fixture.open({ headTimeoutMs: 60_000, ...options });

const addresses = Array.from({ length: 20 }, (_, index) => ({ ...station, name: `station ${index}` }));

/** Keeps every question from being answered until it is called. */
async function holdAnswers(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN; LOCK TABLE stations, meta IN ACCESS EXCLUSIVE MODE');
  return async () => void (await client.query('ROLLBACK'));
}

/** A store that asks through a proxy which counts its questions. It has asked before, so each is one message now. */
async function openCounted(url: string, proxy: FaultProxy) {
  const store = await open({ url: proxy.url(url) });
  await store.head(station);
  const count = { questions: 0 };
  proxy.onSent = (data) => {
    count.questions += data.toString('latin1').split('\0heads\0').length - 1;
  };
  return { store, count };
}

it('has one question under way, whatever is asked, and answers all of it', async () => {
  const url = await fixture.server.createDatabase();
  await using proxy = await FaultProxy.start(fixture.server.port);
  const { store, count } = await openCounted(url, proxy);
  for (const address of addresses.slice(0, 10)) await store.createStation(address);
  const release = await holdAnswers(url);
  count.questions = 0;
  const asked = addresses.map((address) => store.head(address));
  await expect.poll(() => count.questions).toBe(1);
  const later = [...addresses.map((address) => store.head(address)), store.catalog()];
  // What was sent before this has reached the proxy when this is answered.
  await fixture.server.query('SELECT 1', proxy.url(url));
  expect(count.questions).toBe(1);
  await release();
  const heads = await Promise.all(asked);
  expect(heads.map((head) => head?.number)).toEqual([...Array(10).fill(0), ...Array(10).fill(undefined)]);
  expect((await Promise.all(later)).slice(0, 20)).toEqual(heads);
  expect(count.questions).toBe(2);
});

it('tells stations apart where the database is set to write their keys in another way', async () => {
  const url = await fixture.server.createDatabase();
  await fixture.server.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET bytea_output = 'escape'`);
  const store = await open({ url });
  for (const address of addresses) await store.createStation(address);
  const alone = [];
  for (const address of addresses) alone.push(await store.head(address));
  expect(new Set(alone.map((head) => head!.epoch)).size).toBe(addresses.length);
  const together = await Promise.all([...addresses].reverse().map((address) => store.head(address)));
  expect(together.reverse()).toEqual(alone);
});

it('never lets a question that was already sent answer who came later', async () => {
  const url = await fixture.server.createDatabase();
  await using proxy = await FaultProxy.start(fixture.server.port);
  const writer = await open({ url });
  const { store: reader, count } = await openCounted(url, proxy);
  await writer.createStation(station);
  proxy.delayMs = 200;
  for (let round = 1; round <= 3; round++) {
    count.questions = 0;
    const early = reader.head(station);
    // From the second round on, a notification of the last write may ask beside it.
    await expect.poll(() => count.questions).toBeGreaterThanOrEqual(1);
    await put(writer, aBatch(1, `vm-${round}`));
    const late = reader.head(station);
    expect((await late)!.number).toBe(round);
    expect((await early)!.number).toBeGreaterThanOrEqual(round - 1);
  }
});

it('is asked by half of the readers at a time, however they began', async () => {
  const store = await open();
  await store.createStation(station);
  const sharers = new Map<unknown, number>();
  const rounds = 20;
  const read = async () => {
    for (let round = 0; round < rounds; round++) {
      const head = store.head(station);
      sharers.set(head, (sharers.get(head) ?? 0) + 1);
      await head;
      // As clients do, whose next requests are not read in the turn of the loop in which they are answered.
      await setImmediate();
    }
  };
  const first = read();
  await setImmediate();
  await Promise.all([first, ...Array.from({ length: 15 }, read)]);
  const [alone, ...together] = sharers.values();
  expect(alone).toBe(1);
  // All but one, then halves. A notification may have asked beside them.
  for (const count of together.slice(1, rounds)) expect(Math.abs(count - 8)).toBeLessThanOrEqual(1);
});

it('does not wait for readers who do not come again', async () => {
  const store = await open();
  await store.createStation(station);
  await Promise.all(Array.from({ length: 200 }, () => store.head(station)));
  // A question that waited for the others would never be sent.
  for (let turn = 0; turn < 3; turn++) expect((await store.head(station))?.number).toBe(0);
});

it('takes equal addresses for one', async () => {
  const store = await open();
  await store.createStation(station);
  const [one, other] = [store.head({ ...station }), store.head({ ...station })];
  expect(one).toBe(other);
  expect((await one)?.number).toBe(0);
});

it('refuses an answer that it cannot read, and answers again afterwards', async () => {
  const url = await fixture.server.createDatabase();
  const store = await open({ url, headTimeoutMs: 5_000 });
  const [catalog] = await fixture.server.query(
    "DELETE FROM meta WHERE key = 'catalog_revision' RETURNING *",
    url,
  );
  await expect(store.head(station)).rejects.toMatchObject({ code: 'store_unavailable' });
  await fixture.server.query(`INSERT INTO meta VALUES ('catalog_revision', '${catalog!.value}')`, url);
  expect(await store.head(station)).toBeUndefined();
});

it('fails when there is no answer, and answers again afterwards', async () => {
  const url = await fixture.server.createDatabase();
  const store = await open({ url, headTimeoutMs: 2_000 });
  await store.createStation(station);
  const release = await holdAnswers(url);
  // The lock is still held.
  await expect(store.head(station)).rejects.toMatchObject({ code: 'store_unavailable' });
  await expect(store.catalog()).rejects.toMatchObject({ code: 'store_unavailable' });
  await release();
  expect((await store.head(station))?.number).toBe(0);
});

it('finds no station by a name that the database cannot hold', async () => {
  const store = await open();
  const names = ['\0', 'a\0b', '\ud800', '', `'; DROP TABLE stations; --`];
  const heads = await Promise.all(names.map((name) => store.head({ ...station, name })));
  expect(heads).toEqual(names.map(() => undefined));
  for (const name of names) {
    expect(await store.stations({ name, offset: 0, limit: 1 })).toEqual({ stations: [], total: 0 });
  }
  await store.createStation({ ...station, name: '\ufffd' });
  expect(await store.head({ ...station, name: '\ud800' })).toBeUndefined();
  const resource = store.resource({ ...station, name: '\ufffd' }, 'a\0');
  await expect(resource).rejects.toMatchObject({ code: 'resource_not_found' });
});
