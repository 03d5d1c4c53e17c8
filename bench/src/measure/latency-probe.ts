import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../report/statistics.ts';

export type ProbeMessage =
  | { start: { origin: string; paths: string[]; connections: number; intervalMs: number } }
  | { stop: true };

export interface LatencySummary {
  readonly requests: number;
  readonly p50Ms: number;
  /** From the moment the request was due, so that a stall counts for every request it delays. */
  readonly p99Ms: number;
  readonly maxMs: number;
  /** From the moment the request was sent. */
  readonly sentP99Ms: number;
}

/** Child process: asks at a steady pace on a few keep-alive connections until told to stop. */
let running = false;
let finished: Promise<unknown> = Promise.resolve();
let fromDueMs: number[] = [];
let fromSentMs: number[] = [];

async function ask(agent: http.Agent, url: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = http.get(url, { agent }, (response) => {
    if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode} for ${url}`));
    response.once('end', resolve).once('error', reject).resume();
  });
  request.once('error', reject);
  await promise;
}

async function probe(
  options: Extract<ProbeMessage, { start: object }>['start'],
  lane: number,
): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  let dueMs = performance.now() + (lane * options.intervalMs) / options.connections;
  for (let turn = lane; running; turn += options.connections) {
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const sentMs = performance.now();
    await ask(agent, `${options.origin}${options.paths[turn % options.paths.length]}`);
    const endMs = performance.now();
    fromDueMs.push(endMs - dueMs);
    fromSentMs.push(endMs - sentMs);
    dueMs += options.intervalMs;
  }
  agent.destroy();
}

async function answer(message: ProbeMessage): Promise<object> {
  if ('start' in message) {
    running = true;
    fromDueMs = [];
    fromSentMs = [];
    const lanes = Array.from({ length: message.start.connections }, (_, lane) => probe(message.start, lane));
    finished = Promise.all(lanes);
    finished.catch(() => {});
    return { started: true };
  }
  running = false;
  await finished;
  const summary: LatencySummary = {
    requests: fromDueMs.length,
    p50Ms: percentile(fromDueMs, 0.5),
    p99Ms: percentile(fromDueMs, 0.99),
    maxMs: percentile(fromDueMs, 1),
    sentP99Ms: percentile(fromSentMs, 0.99),
  };
  return summary;
}

process.once('disconnect', () => process.exit());
process.on('message', (message: ProbeMessage) => {
  answer(message).then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ failed: error.message }),
  );
});
