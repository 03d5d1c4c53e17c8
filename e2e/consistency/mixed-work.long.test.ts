import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { seed } from '../../testing/seed.ts';
import { SeededRandom } from '../../testing/seeded-random.ts';
import { StationLoad } from '../cluster/testing/station-load.ts';
import { readEvents } from '../testing/read-events.ts';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { mediaTypes, numbered, Station, toNdjson, writePath } from '../testing/station.ts';
import type { PastChange } from '../testing/station-answers.ts';

const minutes = Number(process.env.ROSTER_MIXED_MINUTES ?? 5);
/** Caches, pools and what clients may still page through fill up before that. */
const settledMinutes = 20;
const roundMs = 30_000;
const leastOfEach = 2;
const patienceMs = 300_000;
const stormSize = 10_000;
const importSize = 20_000;

const numberOf = (revision: string) => Number(revision.split('.')[1]);
const storm = numbered(stormSize, 'node');

/** Fails as soon as one of the clients meets what it never should. */
class Round {
  readonly counts = { storms: 0, views: 0, heard: 0, imports: 0 };
  readonly #server: RunningServer;
  readonly #signal: AbortSignal;

  constructor(server: RunningServer, signal: AbortSignal) {
    this.#server = server;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    const crowd = await Station.create(this.#server, 'crowd');
    expect((await crowd.write(storm)).status).toBe(200);
    await Promise.all([this.#storms(crowd), this.#views(crowd), this.#hear(crowd), this.#imports()]);
    expect((await crowd.delete()).status).toBe(204);
  }

  /** All resources change state in one batch, which is one revision. */
  async #storms(crowd: Station): Promise<void> {
    while (!this.#signal.aborted) {
      const state = this.counts.storms % 2 === 0 ? 'ALERTSTATE_FIRING' : 'ALERTSTATE_PENDING';
      const before = numberOf((await crowd.described()).revision);
      const body = storm.map(({ resource_id }) => JSON.stringify({ resource_id, state })).join('\n');
      const headers = { 'Content-Type': mediaTypes.ndjson };
      const init = { method: 'PATCH', body, headers };
      const response = await this.#server.fetch(writePath(crowd.path), init);
      expect(await response.json()).toMatchObject({ updated: stormSize });
      expect(numberOf((await crowd.described()).revision)).toBe(before + 1);
      this.counts.storms++;
      await sleep(1_000);
    }
  }

  /** Whoever looks sees all of a storm or nothing of it. */
  async #views(crowd: Station): Promise<void> {
    while (!this.#signal.aborted) {
      const { states } = await crowd.summary();
      expect(Object.values(states)).toEqual([stormSize]);
      const { resources, page } = await crowd.list('?page.size=50&page.offset=5000');
      expect([page!.total, new Set(resources.map(({ state }) => state)).size]).toEqual([stormSize, 1]);
      this.counts.views++;
      await sleep(20);
    }
  }

  /** Watchers hear a storm in parts, and each resource once. */
  async #hear(crowd: Station): Promise<void> {
    const path = `/roster/v1${crowd.path}/changes/stream`;
    let last = (await crowd.described()).revision;
    const response = await this.#server.fetch(path, {
      headers: { 'Last-Event-ID': last },
      signal: this.#signal,
    });
    const ids = new Set<string>();
    try {
      for await (const { event, data } of readEvents(response)) {
        if (event !== 'changes') continue;
        const part = data as { revision: string; complete: boolean; changes: PastChange[] };
        for (const { resource_id } of part.changes) ids.add(resource_id);
        if (!part.complete) continue;
        expect([numberOf(part.revision), ids.size]).toEqual([numberOf(last) + 1, stormSize]);
        last = part.revision;
        ids.clear();
        this.counts.heard++;
      }
    } catch (error) {
      if (!this.#signal.aborted) throw error;
    }
  }

  /** Nobody waits for an import, and nothing of it stays when its station goes. */
  async #imports(): Promise<void> {
    while (!this.#signal.aborted) {
      const station = await Station.create(this.#server, 'imported');
      const response = await station.post(toNdjson(numbered(importSize, 'vm')), 'ndjson');
      expect(response.status).toBe(200);
      expect(await station.total()).toBe(importSize);
      expect((await station.delete()).status).toBe(204);
      this.counts.imports++;
      await sleep(500);
    }
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

it(`keeps every promise and its memory through ${minutes} minutes of mixed work, seed ${seed}`, {
  timeout: minutes * 120_000 + 180_000,
}, async () => {
  const server = await startServer({ environment: { ROSTER_LIMITS_LAG_MS: '0' } });
  const nodes = [{ server, log: '' }];
  const random = new SeededRandom(seed);
  const megabytes: number[] = [];
  const untilMs = performance.now() + minutes * 60_000;
  while (performance.now() < untilMs) {
    const over = new AbortController();
    const round = new Round(server, over.signal);
    const work = round.run();
    const load = await StationLoad.start({ nodes }, { random });
    // On a busy machine a round takes longer; with fewer it says nothing.
    do await Promise.race([load.goOn(roundMs), work]);
    while (
      Math.min(...Object.values(round.counts)) < leastOfEach &&
      performance.now() < untilMs + patienceMs
    );
    over.abort();
    await work;
    await load.finish();
    expect((await new Station(server, load.path).delete()).status).toBe(204);
    const { acknowledged, read, heard } = load.history.counts();
    // Without these a round says nothing.
    expect(Math.min(acknowledged, read, heard)).toBeGreaterThan(100);
    expect(Math.min(...Object.values(round.counts))).toBeGreaterThanOrEqual(leastOfEach);
    megabytes.push(Math.round(server.process.residentMb()));
    process.stdout.write(`${JSON.stringify({ ...round.counts, acknowledged, read, megabytes })}\n`);
  }
  expect(server.process.stderr).not.toMatch(/index differed|"code":"internal"/);
  expect(Math.max(...megabytes)).toBeLessThan(1024);
  if (minutes < settledMinutes) return;
  const settled = megabytes.slice(Math.floor(megabytes.length / 3));
  const third = Math.ceil(settled.length / 3);
  expect(median(settled.slice(-third))).toBeLessThan(1.2 * median(settled.slice(0, third)));
});
