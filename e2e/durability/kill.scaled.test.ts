import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { scale } from '../../testing/scale.ts';
import { seed } from '../../testing/seed.ts';
import { SeededRandom } from '../../testing/seeded-random.ts';
import { startServer } from '../testing/start-server.ts';
import { type NewResource, Station, stationPath } from '../testing/station.ts';
import type { List } from '../testing/station-answers.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const kills = scale(2, 22);
const inserters = 3;
const overwrittenCount = 100;
const maxBatchSize = 200;

/** What a writer sent last, and what the server has acknowledged. */
interface Ledger {
  /** Sizes of the inserted batches by their number, such as `07-2-00013`. */
  readonly acknowledged: Map<string, number>;
  readonly unanswered: Map<string, number>;
  /** Numbers of the batches that overwrite the same resources over and over. */
  overwrittenBy: number;
  overwriting: number;
  revision: number;
}

const pad = (value: number, digits: number) => String(value).padStart(digits, '0');
const revisionNumber = (revision: string) => Number(revision.split('.')[1]);

function insertedBatch(batch: string, size: number): NewResource[] {
  return Array.from({ length: size }, (_, index) => ({
    resource_id: `${batch}/${pad(index, 3)}`,
    sku: `${batch} of ${size}`,
  }));
}

function overwritingBatch(number: number): NewResource[] {
  return Array.from({ length: overwrittenCount }, (_, index) => ({
    resource_id: `overwritten-${pad(index, 3)}`,
    sku: String(number),
  }));
}

/** Sends a batch; returns whether it was acknowledged. Anything but an acknowledgement or a dead server throws. */
async function isAcknowledged(station: Station, batch: NewResource[], ledger: Ledger): Promise<boolean> {
  let body: { revision: string };
  try {
    const response = await station.write(batch);
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    body = (await response.json()) as { revision: string };
  } catch (error) {
    if (error instanceof TypeError || (error as Error).name === 'AbortError') return false;
    throw error;
  }
  ledger.revision = Math.max(ledger.revision, revisionNumber(body.revision));
  return true;
}

async function insertUntilKilled(
  station: Station,
  ledger: Ledger,
  { writer, random }: { writer: string; random: SeededRandom },
): Promise<void> {
  for (let count = 0; ; count++) {
    const batch = `${writer}-${pad(count, 5)}`;
    const size = 1 + Math.floor(random.next() ** 2 * maxBatchSize);
    ledger.unanswered.set(batch, size);
    if (!(await isAcknowledged(station, insertedBatch(batch, size), ledger))) return;
    ledger.unanswered.delete(batch);
    ledger.acknowledged.set(batch, size);
  }
}

async function overwriteUntilKilled(station: Station, ledger: Ledger): Promise<void> {
  for (;;) {
    ledger.overwriting++;
    if (!(await isAcknowledged(station, overwritingBatch(ledger.overwriting), ledger))) return;
    ledger.overwrittenBy = ledger.overwriting;
  }
}

/** Settles what became of the unanswered batches, each of which must be there as a whole or not at all. */
function settle(ledger: Ledger, resources: List['resources']): void {
  const found = new Map<string, number>();
  const overwrittenBy = new Set<number>();
  for (const { resource_id: id, sku } of resources) {
    if (id.startsWith('overwritten')) overwrittenBy.add(Number(sku));
    else {
      const batch = id.split('/')[0]!;
      found.set(batch, (found.get(batch) ?? 0) + 1);
    }
  }
  for (const [batch, size] of ledger.unanswered) {
    if (found.has(batch)) ledger.acknowledged.set(batch, size);
  }
  ledger.unanswered.clear();
  for (const [batch, size] of found) expect(ledger.acknowledged.get(batch), batch).toBe(size);
  expect(overwrittenBy.size, 'half of an overwriting batch is there').toBeLessThanOrEqual(1);
  const last = [...overwrittenBy][0] ?? 0;
  expect([ledger.overwrittenBy, ledger.overwriting]).toContain(last);
  ledger.overwrittenBy = last;
}

const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);

it(`keeps every acknowledged batch and no half of any through ${kills} kills or more, seed ${seed}`, async () => {
  const random = new SeededRandom(seed);
  const data = temporaryDirectory();
  const environment = { ROSTER_MAX_UNPAGED: '10000000' };
  const ledger: Ledger = {
    acknowledged: new Map(),
    unanswered: new Map(),
    overwrittenBy: 0,
    overwriting: 0,
    revision: 0,
  };
  let epoch: string | undefined;
  // The kills must meet the server at work, or the test says nothing: on a slow machine there are more of them.
  const wereEnough = (round: number) =>
    round >= kills && ledger.acknowledged.size > kills * inserters && ledger.overwriting > kills;
  for (let round = 0; ; round++) {
    const server = await startServer({ data, environment });
    const station = round === 0 ? await Station.create(server) : new Station(server, stationPath('station'));
    const isLast = wereEnough(round);
    const prefix = isLast ? '' : `${pad(round - 1, 2)}-`;
    const { resources: recent, revision } = await station.list(`?resource_display_name_prefix=${prefix}`);
    const { resources: overwritten } = await station.list('?resource_display_name_prefix=overwritten');
    epoch ??= revision.split('.')[0];
    expect(revision.split('.')[0]).toBe(epoch);
    const unansweredBefore = ledger.unanswered.size + 1;
    settle(ledger, prefix === '' ? recent : [...recent, ...overwritten]);
    expect(await station.total()).toBe(sum(ledger.acknowledged.values()) + overwritten.length);
    expect(revisionNumber(revision)).toBeGreaterThanOrEqual(ledger.revision);
    expect(revisionNumber(revision)).toBeLessThanOrEqual(ledger.revision + unansweredBefore);
    ledger.revision = revisionNumber(revision);
    if (isLast) break;

    const writers = Array.from({ length: inserters }, (_, writer) =>
      insertUntilKilled(station, ledger, {
        writer: `${pad(round, 2)}-${writer}`,
        random: new SeededRandom(seed + round * inserters + writer),
      }),
    );
    writers.push(overwriteUntilKilled(station, ledger));
    const settled = Promise.all(writers);
    const acknowledged = ledger.acknowledged.size;
    // A slow machine needs longer to begin; one round in four is killed wherever it is.
    const untilAtWork = async () => {
      while (ledger.acknowledged.size === acknowledged && !server.process.hasExited) await sleep(5);
    };
    if (round % 4 !== 3) await Promise.race([settled, untilAtWork()]);
    await Promise.race([settled, sleep(30 + random.below(370))]);
    await server.process.kill();
    await settled;
    expect(server.process.stderr).toBe('');
  }
});
