import { SeededRandom } from '../../../testing/seeded-random.ts';
import type { StationData } from '../dataset/station-data.ts';
import type { LatencySummary, TextFinding } from '../findings.ts';
import { askChild } from '../servers/ask-child.ts';
import { type Contender, searchPath } from '../servers/contender.ts';
import { summariseLatency } from '../statistics.ts';
import type { Workspace } from '../workspace.ts';
import type { ProbeMessage } from './imports/latency-probe.ts';

const searches = 200;
const intervalMs = 5;
/** What the server's monitor of its event loop reports for a loop that is never late. */
const monitorMs = 10;

/**
 * Searches for five letters out of names and ids, none twice, and watches how long the event loop is blocked and how
 * long others wait meanwhile. They also wait for the processors, which clients and server share.
 */
export async function measureTexts(
  workspace: Workspace,
  subject: Contender,
  data: StationData,
): Promise<TextFinding> {
  const random = new SeededRandom(5);
  const search = async () => {
    const { name, resourceId } = random.pick(data.resources);
    const text = random.next() < 0.5 ? name : resourceId;
    const from = random.below(text.length - 5);
    const query = `text=${encodeURIComponent(text.slice(from, from + 5))}&page.size=20`;
    const startMs = performance.now();
    const response = await fetch(`${subject.origin}${searchPath(query)}`);
    const { page } = (await response.json()) as { page: { total: number } };
    if (page.total === 0) throw new Error(`nothing was found by ${query}`);
    return performance.now() - startMs;
  };
  // The first search prepares the texts.
  await search();
  const probe = workspace.fork(new URL('imports/latency-probe.ts', import.meta.url));
  const start = { origin: subject.origin, paths: [subject.healthPath], intervalMs };
  await askChild(probe, { start } satisfies ProbeMessage);
  await scrapeLongestTurnMs(subject);
  const times: number[] = [];
  for (let turn = 0; turn < searches; turn++) times.push(await search());
  const longestBlockMs = Math.max(0, (await scrapeLongestTurnMs(subject)) - monitorMs);
  const beside = await askChild<LatencySummary>(probe, { stop: true } satisfies ProbeMessage);
  await workspace.stop(probe);
  return { size: data.size, searches: summariseLatency(times), beside, longestBlockMs };
}

/** Since the last scrape. */
async function scrapeLongestTurnMs({ origin }: Contender): Promise<number> {
  const response = await fetch(`${origin}/metrics`);
  const [, seconds] = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await response.text()) ?? [];
  if (seconds === undefined) throw new Error('the server does not tell how late its event loop is');
  return Number(seconds) * 1000;
}
