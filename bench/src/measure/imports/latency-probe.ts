import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LatencySummary } from '../../findings.ts';
import { percentile } from '../../statistics.ts';

export interface ProbeOptions {
  readonly origin: string;
  readonly paths: readonly string[];
  readonly intervalMs: number;
}

export type ProbeMessage = { start: ProbeOptions } | { stop: true };

/**
 * Child process: sends requests at a steady pace until stopped. No request waits for an earlier answer, so a stall
 * counts for every request that arrives during it.
 */
const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 64 });
let running = false;
let pacing: Promise<void> = Promise.resolve();
let answers: Promise<number>[] = [];

async function pace({ origin, paths, intervalMs }: ProbeOptions): Promise<void> {
  let dueMs = performance.now();
  for (let turn = 0; running; turn++) {
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const answer = timeOne(`${origin}${paths[turn % paths.length]}`);
    answer.catch(() => {});
    answers.push(answer);
    dueMs += intervalMs;
  }
}

async function timeOne(url: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const sentMs = performance.now();
  const request = http.get(url, { agent }, (response) => {
    if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode} for ${url}`));
    response.once('end', resolve).once('error', reject).resume();
  });
  request.once('error', reject);
  await promise;
  return performance.now() - sentMs;
}

async function answer(message: ProbeMessage): Promise<object> {
  if ('start' in message) {
    running = true;
    answers = [];
    pacing = pace(message.start);
    return { started: true };
  }
  running = false;
  await pacing;
  return summarise(await Promise.all(answers));
}

function summarise(timesMs: readonly number[]): LatencySummary {
  return {
    requests: timesMs.length,
    p50Ms: percentile(timesMs, 0.5),
    p99Ms: percentile(timesMs, 0.99),
    maxMs: percentile(timesMs, 1),
  };
}

process.once('disconnect', () => process.exit());
process.on('message', (message: ProbeMessage) => {
  answer(message).then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ failed: error.message }),
  );
});
