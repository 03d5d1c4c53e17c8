import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { defaultLocale, everything, RosterError, type StationAddress } from '@roster/contract';
import { Engine, resourceAt, type Store } from '@roster/engine';
import { createSqliteStore } from '@roster/store';
import { expect, it } from 'vitest';
import { longOnly, scale, shortOnly } from '../../testing/scale.ts';
import { seed } from '../../testing/seed.ts';
import { SeededRandom } from '../../testing/seeded-random.ts';
import { startServer } from '../testing/start-server.ts';
import { numbered, Station, stationPath } from '../testing/station.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { PageMap } from './testing/page-map.ts';

/** So many anywhere in the file, and as many in turn in each of its tables and indexes. */
const flips = Number(process.env.ROSTER_ATTACK_FLIPS ?? scale(4, 45));

const address: StationAddress = { subscription: 's', resourceGroup: 'g', zone: 'z', name: 'attacked' };
const other: StationAddress = { ...address, name: 'other' };
const size = 3_000;
const changed = 300;

it(`gives what was written or an error, whichever bit of the database has flipped, seed ${seed}`, async () => {
  const random = new SeededRandom(seed);
  const original = temporaryDirectory();
  await fill(original);
  const file = join(original, 'roster.db');
  const bytes = readFileSync(file);
  const pages = new PageMap(file);
  const places = [
    // Whatever else is hit, this is noticed: it says what kind of file it is.
    0,
    ...Array.from({ length: flips }, () => random.below(bytes.length)),
    ...Array.from({ length: flips }, (_, turn) => pages.placeIn(turn, random)),
  ];
  const expected = await readEverything(original);
  expect(Object.keys(expected)).toEqual(['list', 'counts', 'history']);
  const attacked = temporaryDirectory();
  copyFileSync(join(original, 'roster.generation'), join(attacked, 'roster.generation'));
  const wrong: string[] = [];
  let refused = 0;
  for (const place of places) {
    const bit = random.below(8);
    const flipped = Buffer.from(bytes);
    flipped[place]! ^= 1 << bit;
    writeFileSync(join(attacked, 'roster.db'), flipped);
    const found = await readEverything(attacked);
    for (const [what, text] of Object.entries(found)) {
      if (text.startsWith('error: ')) refused++;
      else if (text !== expected[what]) {
        wrong.push(`${what} with bit ${bit} of byte ${place} in ${pages.ownerOf(place)}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(0);
});

shortOnly(it)(
  'refuses the damaged station alone, says so in log and metrics, and serves it again when it is written anew',
  async () => {
    const first = await startServer();
    for (const name of ['damaged', 'sound']) {
      const station = await Station.create(first, name);
      expect((await station.write(numbered(500, name))).status).toBe(200);
    }
    await first.process.stop();
    flipText(join(first.data, 'roster.db'), 'damaged-00123');

    const server = await startServer({ data: first.data });
    const [damaged, sound] = ['damaged', 'sound'].map(
      (name) =>
        new Station(server, `/subscriptions/e2e/resourceGroups/tests/zones/zone-1/telemetryStations/${name}`),
    ) as [Station, Station];
    const asked = { list: damaged.get(), summary: damaged.ask('/summary'), export: damaged.ask('/export') };
    for (const [what, answer] of Object.entries({
      ...asked,
      changes: damaged.ask('/changes?page.size=1000'),
    })) {
      const response = await answer;
      const { code } = (await response.json()) as { code: string };
      expect([what, response.status, code]).toEqual([what, 503, 'data_damaged']);
    }
    expect(await sound.total()).toBe(500);
    expect((await server.fetch('/readyz')).status).toBe(200);
    expect(server.process.stderr).toMatch(
      /"station":"[^"]*telemetryStations\/damaged".*a station is damaged and is not served/,
    );
    expect(await damagedStations(server.url)).toBe(1);
    expect((await damaged.write(numbered(500, 'damaged', { sku: 'x' }))).status).toBe(503);
    expect((await damaged.delete()).ok).toBe(true);
    await Station.create(server, 'damaged');
    expect((await damaged.write(numbered(500, 'damaged'))).status).toBe(200);
    expect(await damaged.total()).toBe(500);
    expect(await damagedStations(server.url)).toBe(0);
  },
);

longOnly(it)(
  'starts and serves other stations where the row of one is damaged, or that of a type',
  async () => {
    const first = await startServer();
    for (const name of ['damaged', 'sound']) {
      const station = await Station.create(first, name);
      const type = `resource_type.of.${name}`;
      expect((await station.write(numbered(50, name, { resource_type: type }))).status).toBe(200);
    }
    await first.process.stop();
    const file = join(first.data, 'roster.db');
    runSql(file, "UPDATE stations SET rev_id = 'x' || rev_id WHERE name = 'damaged'");
    runSql(file, "UPDATE resource_types SET product = 'product.x' WHERE key = 'resource_type.of.damaged'");

    const server = await startServer({ data: first.data });
    const sound = new Station(server, stationPath('sound'));
    expect(await sound.total()).toBe(50);
    const statusAndCode = async (answer: Promise<Response>) => {
      const response = await answer;
      return [response.status, ((await response.json()) as { code?: string }).code];
    };
    const types = '/roster/v1/resource-types';
    expect(await statusAndCode(new Station(server, stationPath('damaged')).get())).toEqual([
      503,
      'data_damaged',
    ]);
    expect(await statusAndCode(server.fetch(types))).toEqual([503, 'data_damaged']);
    const damagedType = `${types}/resource_type.of.damaged`;
    expect(await statusAndCode(server.fetch(damagedType))).toEqual([503, 'data_damaged']);
    const put = {
      method: 'PUT',
      body: '{"labels":{"en":"Mended"}}',
      headers: { 'Content-Type': 'application/json' },
    };
    expect((await server.fetch(damagedType, put)).ok).toBe(true);
    expect((await server.fetch(types)).status).toBe(200);
  },
);

function runSql(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

/** What a server would tell of the station, or the error that it would give instead. */
async function readEverything(directory: string): Promise<Record<string, string>> {
  const told: Record<string, string> = {};
  const tell = async (what: string, read: () => Promise<unknown>) => {
    told[what] = await read().then(
      (value) => JSON.stringify(value),
      (error: unknown) => {
        if (error instanceof RosterError && error.code !== 'station_not_found') return `error: ${error.code}`;
        return String(error);
      },
    );
  };
  let store: Store | undefined;
  await tell('list', async () => {
    // Nothing is written, so that the thread for writes need not start.
    store = await createSqliteStore({ directory, readOnly: true, reading: new Promise(() => undefined) });
    return readList(store);
  });
  if (store !== undefined) {
    const open = store;
    await tell('counts', async () => open.station(address));
    await tell('history', () => open.history(address, { limit: 10 * size }));
    await open.close();
  }
  return told;
}

async function readList(store: Store): Promise<unknown[]> {
  const engine = new Engine(store, { memoryBudgetBytes: 2 ** 30, snapshotRetentionMs: 60_000 });
  const snapshot = await engine.read(address);
  const labels = await engine.labels();
  const selection = snapshot.select(everything);
  const slots = new Uint32Array(selection.total);
  selection.read(0, slots.length, slots);
  return Array.from(slots, (slot) => {
    const resource = resourceAt(snapshot, slot);
    return { ...resource, label: labels.labelOf(resource.typeKey, defaultLocale) };
  });
}

/** Two stations, each with a history. */
async function fill(directory: string): Promise<void> {
  const store = await createSqliteStore({ directory });
  for (const station of [address, other]) {
    await store.createStation(station);
    for (const [sku, count] of [
      ['first', size],
      ['second', changed],
    ] as const) {
      const batch = await store.openBatch(station);
      await batch.add(Array.from({ length: count }, (_, at) => ({ line: at + 1, record: aRecord(at, sku) })));
      await batch.commit();
    }
  }
  await store.close();
}

function aRecord(at: number, sku: string) {
  const id = `vm-${String(at).padStart(5, '0')}`;
  const [typeKey, typeLabel] = [`resource_type.compute.kind-${at % 7}`, `Kind ${at % 7}`];
  return { resourceId: id, name: id, displayName: `Machine ${at}`, typeKey, typeLabel, sku };
}

/** Flips one bit of each place in the file that has this text. */
function flipText(file: string, text: string): void {
  const bytes = readFileSync(file);
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) bytes[at]! ^= 1;
  writeFileSync(file, bytes);
}

async function damagedStations(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^roster_damaged_stations (\d+)$/m.exec(metrics)?.[1]);
}
