import type { StationAddress } from '@roster/contract';
import type { Batch, Store, WriteResult } from '@roster/engine';
import pg from 'pg';
import { expect, it } from 'vitest';
import { aBatch, put, station } from '../../testing/station-data.ts';
import { damageRows } from '../testing/damage-rows.ts';
import { useServer } from '../testing/use-server.ts';

const fixture = useServer({
  settings: { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track_planning': 'on' },
});

/** A machine may interrupt everything for longer than a node waits for heads in production. */
const open: typeof fixture.open = (options) => fixture.open({ headTimeoutMs: 60_000, ...options });

function named(name: string): StationAddress {
  return { ...station, name };
}

async function createStations(store: Store, count: number): Promise<StationAddress[]> {
  const stations = Array.from({ length: count }, (_, at) => named(`station-${at}`));
  for (const address of stations) await store.createStation(address);
  return stations;
}

type Named = Record<'resourceId' | 'name', string>;

/** Creates a resource, or changes its state, when it is committed. */
async function openWrite(
  store: Store,
  address: StationAddress,
  state: string,
  { resourceId, name }: Named = { resourceId: 'a', name: 'a' },
): Promise<Batch> {
  const batch = await store.openBatch(address);
  await batch.add([{ line: 1, record: { resourceId, name, typeKey: 'resource_type.a', state } }]);
  return batch;
}

async function write(
  store: Store,
  address: StationAddress,
  state: string,
  named?: Named,
): Promise<WriteResult> {
  return (await openWrite(store, address, state, named)).commit();
}

/** In UTF-8 it has 3072 bytes that PostgreSQL cannot compress, more than fit into an index. */
const unindexableName = Array.from({ length: 1024 }, (_, at) =>
  String.fromCharCode(0x4e00 + ((at * 48_271) % 19_997)),
).join('');

it('commits what waits for different stations in few transactions', async () => {
  const url = await fixture.server.createDatabase();
  const store = await open({ url });
  const stations = await createStations(store, 20);
  await write(store, stations[0]!, 'ALERTSTATE_PENDING');
  // Opening a batch asks the database; all of them are ready when the first is committed.
  const batches = await Promise.all(
    stations.map((address) => openWrite(store, address, 'ALERTSTATE_FIRING')),
  );
  const results = await Promise.all(batches.map((batch) => batch.commit()));
  expect(results.map(({ created, updated }) => created + updated)).toEqual(stations.map(() => 1));
  const [row] = await fixture.server.query(
    'SELECT count(DISTINCT r.xmin::text) FROM revisions r JOIN stations s ON s.id = r.station_id AND s.revision = r.revision',
    url,
  );
  expect(Number(row!.count)).toBeLessThan(stations.length / 2);
});

it('lets no station wait for another one that is locked', async () => {
  const url = await fixture.server.createDatabase();
  const store = await open({ url });
  const stations = await createStations(store, 6);
  for (const address of stations) await write(store, address, 'ALERTSTATE_PENDING');
  const [locked, ...others] = stations as [StationAddress, ...StationAddress[]];
  const other = new pg.Client(url);
  await other.connect();
  await other.query(`BEGIN; SELECT FROM stations WHERE name = '${locked.name}' FOR UPDATE`);
  let isWritten = false;
  const waiting = write(store, locked, 'ALERTSTATE_FIRING').finally(() => {
    isWritten = true;
  });
  for (const state of ['ALERTSTATE_FIRING', 'ALERTSTATE_PENDING']) {
    await Promise.all(others.map((address) => write(store, address, state)));
  }
  expect(isWritten).toBe(false);
  await other.query('COMMIT');
  await other.end();
  expect(await waiting).toMatchObject({ updated: 1, head: { number: 2 } });
});

it('leaves the writes to other stations alone when one fails', async () => {
  const url = await fixture.server.createDatabase();
  const store = await open({ url });
  const stations = await createStations(store, 4);
  for (const address of stations) await write(store, address, 'ALERTSTATE_PENDING');
  await damageRows(fixture.server, url, { table: 'resources', set: "sku = 'x'", where: 'station_id = 2' });
  const results = await Promise.allSettled(
    stations.map((address) => write(store, address, 'ALERTSTATE_FIRING')),
  );
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
});

it('tells of exactly what a commit changed although another node writes between its statements', async () => {
  const url = await fixture.server.createDatabase();
  const stores = [await open({ url }), await open({ url })];
  await stores[0]!.createStation(station);
  const told: { since: number; until: number; changed: string[] }[] = [];
  const work = stores.map(async (store, at) => {
    store.onBeforeVisible(async (_, head, { feed }) => {
      if (!head || !feed) return;
      const changed: string[] = [];
      for await (const { put } of feed.chunks) changed.push(...put.columns.ids);
      told.push({ since: feed.since.number, until: head.number, changed: changed.sort() });
    });
    for (let turn = 0; turn < 30; turn++) {
      const ids = { resourceId: `${at}-${turn}`, name: `${at}-${turn}` };
      // One statement creates the resource, and the next one changes it.
      const states = ['ALERTSTATE_PENDING', 'ALERTSTATE_FIRING'];
      await Promise.all(states.map((state) => write(store, station, state, ids)));
    }
  });
  await Promise.all(work);
  const { changes } = await stores[0]!.history(station, { limit: 1_000 });
  for (const { since, until, changed } of told) {
    const between = changes.filter(({ revision }) => revision > since && revision <= until);
    expect(changed).toEqual([...new Set(between.map(({ after }) => after!.resourceId))].sort());
  }
});

/** What tells the two statements of a small write from others. */
const reading = 'json_array_elements_text(g.ids)';
const writing = 'free AS MATERIALIZED';

async function statisticsOf(statement: string, url: string): Promise<Record<string, number>> {
  const rows = await fixture.server.query(
    `SELECT plans, calls, shared_blks_hit + shared_blks_read AS blocks FROM pg_stat_statements
     JOIN pg_database d ON d.oid = dbid
     WHERE d.datname = current_database() AND query LIKE '%${statement}%' AND query NOT LIKE '%pg_stat_statements%'`,
    url,
  );
  expect(rows).toHaveLength(1);
  return Object.fromEntries(Object.entries(rows[0]!).map(([name, value]) => [name, Number(value)]));
}

it('has its statements planned once, not for every write', async () => {
  const url = await fixture.server.createDatabase();
  await fixture.server.query('CREATE EXTENSION pg_stat_statements', url);
  const store = await open({ url, connections: 4 });
  await store.createStation(station);
  for (let turn = 0; turn < 40; turn++) {
    await write(store, station, turn % 2 === 0 ? 'ALERTSTATE_FIRING' : 'ALERTSTATE_PENDING');
  }
  for (const statement of [reading, writing]) {
    const { plans, calls } = await statisticsOf(statement, url);
    expect(calls).toBeGreaterThanOrEqual(39);
    expect(plans).toBeLessThan(20);
  }
});

it('looks rows up in a station that has grown since its statements were planned', async () => {
  const url = await fixture.server.createDatabase();
  await fixture.server.query('CREATE EXTENSION pg_stat_statements', url);
  // One of them writes, so all writes use the same plans.
  const store = await open({ url, connections: 4 });
  await store.createStation(station);
  // PostgreSQL keeps a plan from the sixth time on.
  for (let turn = 0; turn < 10; turn++) {
    await write(store, station, turn % 2 === 0 ? 'ALERTSTATE_FIRING' : 'ALERTSTATE_PENDING');
  }
  await put(store, aBatch(10_000));
  const changed = aBatch(400).map(({ line, record }) => ({
    line,
    record: { ...record, state: 'ALERTSTATE_FIRING' },
  }));
  const blocks = async () => (await statisticsOf(writing, url)).blocks!;
  const before = await blocks();
  expect(await put(store, changed)).toMatchObject({ updated: 400 });
  expect((await blocks()) - before).toBeLessThan(400 * 60);
});

it.each([1, 4])(
  'refuses a write that PostgreSQL cannot take without failing others, in %i stations',
  async (count) => {
    const store = await open();
    const stations = await createStations(store, count);
    await write(store, stations[0]!, 'ALERTSTATE_PENDING');
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, (_, at) =>
        write(store, stations[at % count]!, 'ALERTSTATE_FIRING', {
          resourceId: `r-${at}`,
          name: at === 1 ? unindexableName : `r-${at}`,
        }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    const reason = { code: 'invalid_body', message: expect.stringContaining('use a shorter name') };
    expect(results[1]).toMatchObject({ reason });
  },
);
