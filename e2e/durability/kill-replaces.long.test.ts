import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { seed } from '../../testing/seed.ts';
import { SeededRandom } from '../../testing/seeded-random.ts';
import { applyChange, type Replayed } from '../testing/apply-change.ts';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { type NewResource, numbered, type Sending, Station, stationPath } from '../testing/station.ts';
import { figuresOf } from '../testing/station-model.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const kills = 20;

/** The numbered batches of one station, each of which makes the station what it says and nothing else. */
interface Batches extends Sending {
  readonly name: string;
  batch(number: number): NewResource[];
}

const replaces: Batches = {
  name: 'replaced',
  query: '?mode=replace&allow_removal=all',
  batch: (number) => numbered(20 + ((number * 97) % 400), `set-${number % 3}`, { sku: String(number) }),
};

/** Names and places in the list change hands with every batch. */
const updates: Batches = {
  name: 'updated',
  batch: (number) =>
    numbered(150).map((resource, at) => ({
      ...resource,
      name: `name ${(at + number) % 150}`,
      display_name: `shown ${(at * number) % 150}`,
      state: `ALERTSTATE_${(at + number) % 4}`,
      alert_rules_count: (at + number) % 2,
      sku: String(number),
    })),
};

/** A station through many lives of its server: what was sent to it, acknowledged, and seen of it. */
class KilledStation {
  sent = 0;
  readonly #batches: Batches;
  readonly #state: Replayed = new Map();
  #acknowledged = 0;
  #revision = '';

  constructor(batches: Batches) {
    this.#batches = batches;
  }

  async create(server: RunningServer): Promise<void> {
    const station = await Station.create(server, this.#batches.name);
    this.#revision = (await station.described()).revision;
  }

  async writeUntilKilled(server: RunningServer): Promise<void> {
    const station = this.#station(server);
    for (;;) {
      this.sent++;
      try {
        const response = await station.write(this.#batches.batch(this.sent), this.#batches);
        const text = await response.text();
        expect(response.status, text).toBe(200);
      } catch (error) {
        if (error instanceof TypeError) return;
        throw error;
      }
      this.#acknowledged = this.sent;
    }
  }

  /** Holds the station against what was acknowledged, and its history against what it was before. */
  async check(server: RunningServer): Promise<void> {
    const station = this.#station(server);
    const records = await station.records();
    const last = Number(records[0]?.sku ?? 0);
    expect([this.#acknowledged, this.sent]).toContain(last);
    const skuById = new Map(records.map(({ resource_id: id, sku }) => [id, sku]));
    const expected = last === 0 ? [] : this.#batches.batch(last);
    expect(skuById).toEqual(new Map(expected.map(({ resource_id: id }) => [id, String(last)])));
    this.#acknowledged = last;
    this.sent = last;

    const { revision, resources } = await station.described();
    expect(resources).toEqual(figuresOf(records));
    expect(await station.summary()).toMatchObject({ ...resources, revision });
    const [epoch, number] = revision.split('.');
    expect(revision).toBe(`${this.#revision.split('.')[0]}.${last}`);
    const changes = await station.history(1000, this.#revision);
    const seen = new Set(changes.map((change) => change.revision));
    const first = Number(this.#revision.split('.')[1]) + 1;
    const expectedRevisions = Array.from({ length: Number(number) - first + 1 }, (_, at) => first + at);
    expect([...seen]).toEqual(expectedRevisions.map((each) => `${epoch}.${each}`));
    for (const change of changes) applyChange(this.#state, change);
    expect(this.#state).toEqual(new Map(records.map((record) => [record.resource_id, record])));
    this.#revision = revision;
  }

  #station(server: RunningServer): Station {
    return new Station(server, stationPath(this.#batches.name));
  }
}

it(`keeps every acknowledged replace and update, and their history, through ${kills} kills or more, seed ${seed}`, async () => {
  const random = new SeededRandom(seed);
  const data = temporaryDirectory();
  const stations = [new KilledStation(replaces), new KilledStation(updates)];
  const sum = () => stations.reduce((total, { sent }) => total + sent, 0);
  // The kills must meet the server at work, or the test says nothing: on a slow machine there are more of them.
  const wereEnough = (round: number) => round >= kills && sum() > kills * 3;
  for (let round = 0; ; round++) {
    const server = await startServer({ data });
    if (round === 0) for (const station of stations) await station.create(server);
    for (const station of stations) await station.check(server);
    if (wereEnough(round)) break;
    const writing = Promise.all(stations.map((station) => station.writeUntilKilled(server)));
    const sent = sum();
    // A slow machine needs longer to begin; one round in four is killed wherever it is.
    const untilAtWork = async () => {
      while (sum() < sent + stations.length && !server.process.hasExited) await sleep(5);
    };
    if (round % 4 !== 3) await Promise.race([writing, untilAtWork()]);
    await Promise.race([writing, sleep(30 + random.below(370))]);
    await server.process.kill();
    await writing;
    expect(server.process.stderr).toBe('');
  }
});
