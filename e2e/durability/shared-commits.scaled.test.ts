import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { longOnly, scale } from '../../testing/scale.ts';
import { seed } from '../../testing/seed.ts';
import { SeededRandom } from '../../testing/seeded-random.ts';
import { canMount, neededToMount, SmallDisk } from '../testing/small-disk.ts';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { Station, stationPath } from '../testing/station.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const kills = scale(2, 14);
const writers = 64;

/** What the clients were told, by id of the only resource of each write. */
interface Told {
  readonly acknowledged: Map<string, number>;
  readonly unanswered: Set<string>;
  readonly refused: Set<string>;
}

/** What else a write may be refused for. */
const faults = ['storage_full', 'overloaded'];

const numberOf = (revision: string) => Number(revision.split('.')[1]);

/** Small writes of many clients at once, each of one resource of its own. Every 64th takes a name that is taken. */
async function writeUntil(station: Station, told: Told, round: string, isOver: () => boolean): Promise<void> {
  const work = Array.from({ length: writers }, async (_, writer) => {
    for (let count = 0; !isOver(); count++) {
      const id = `${round}-${writer}-${count}`;
      const isBad = writer === 31;
      told.unanswered.add(id);
      try {
        const response = await station.write([
          { resource_id: id, name: isBad ? 'taken' : id, sku: 'x'.repeat(200) },
        ]);
        const body = (await response.json()) as { revision: string; code?: string };
        told.unanswered.delete(id);
        if (response.status === 200) told.acknowledged.set(id, numberOf(body.revision));
        else {
          const causes = isBad ? ['invalid_records', ...faults] : faults;
          expect(causes).toContain(body.code);
          told.refused.add(id);
        }
      } catch (error) {
        if (error instanceof TypeError || (error as Error).name === 'AbortError') return;
        throw error;
      }
    }
  });
  await Promise.all(work);
}

/** Every acknowledged write is there once, with its revision; none that was refused; and no revision is missing. */
async function expectKept(server: RunningServer, told: Told): Promise<void> {
  const station = new Station(server, stationPath('station'));
  const changes = await station.history();
  const byId = new Map(changes.map(({ revision, resource }) => [resource.resource_id, numberOf(revision)]));
  expect(changes.map(({ revision }) => numberOf(revision))).toEqual(changes.map((_, at) => at + 1));
  expect(byId.size).toBe(changes.length);
  for (const [id, revision] of told.acknowledged) expect(byId.get(id), id).toBe(revision);
  for (const id of told.refused) expect(byId.has(id), id).toBe(false);
  for (const id of byId.keys()) {
    expect(id === 'first' || told.acknowledged.has(id) || told.unanswered.has(id), id).toBe(true);
  }
  expect(await station.total()).toBe(byId.size);
}

const nothingTold = (): Told => ({ acknowledged: new Map(), unanswered: new Set(), refused: new Set() });

it(`keeps what shared commits have acknowledged through ${kills} kills, seed ${seed}`, async () => {
  const random = new SeededRandom(seed);
  const data = temporaryDirectory();
  const environment = { ROSTER_MAX_UNPAGED: '10000000' };
  const told = nothingTold();
  for (let round = 0; round <= kills; round++) {
    const server = await startServer({ data, environment });
    if (round === 0) {
      const station = await Station.create(server);
      expect((await station.write([{ resource_id: 'first', name: 'taken' }])).status).toBe(200);
    }
    await expectKept(server, told);
    if (round === kills) break;
    const station = new Station(server, stationPath('station'));
    const before = told.acknowledged.size;
    const written = writeUntil(station, told, String(round), () => server.process.hasExited);
    const isTold = () => told.acknowledged.size > before && told.refused.size > 0;
    while (!isTold() && !server.process.hasExited) await sleep(5);
    await sleep(random.below(300));
    await server.process.kill();
    await written;
    expect(isTold()).toBe(true);
  }
});

longOnly(it.skipIf(!canMount && !process.env.CI))(
  `keeps what it acknowledged when the disk fills up in the middle${canMount ? '' : ` (needs ${neededToMount})`}`,
  async () => {
    const disk = await SmallDisk.create(48);
    const options = { data: disk.directory, launcher: disk.launcher };
    const server = await startServer(options);
    const station = await Station.create(server);
    await station.write([{ resource_id: 'first', name: 'taken' }]);
    const told = nothingTold();
    let isOver = false;
    const written = writeUntil(station, told, 'full', () => isOver);
    await expect.poll(() => told.acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(writers);
    disk.fill(256 * 1024);
    await sleep(scale(1_000, 3_000));
    disk.free();
    await sleep(scale(1_000, 2_000));
    isOver = true;
    await written;
    await expectKept(server, told);
    await server.process.kill();
    await expectKept(await startServer(options), told);
  },
);
