import { setTimeout as sleep } from 'node:timers/promises';
import type { NodesFinding } from '../../findings.ts';
import { listPath, rosterStationPath } from '../../servers/contender.ts';
import type { RosterServer } from '../../servers/roster-server.ts';
import { percentile } from '../../statistics.ts';
import { createStation } from '../imports/import-resources.ts';
import { WrongAnswer } from '../verify-answers.ts';
import { numberOf, writeOne } from './write-one.ts';

const station = 'nodes';
const writes = 400;
const intervalMs = 25;

/** Writes on one node; the other must show every write at once, and report it in a stream. */
export async function measureNodes(a: RosterServer, b: RosterServer): Promise<NodesFinding> {
  await createStation(a.origin, station);
  const heardAtMs = new Map<number, number>();
  const end = new AbortController();
  const { ended } = await listen(b, heardAtMs, end.signal);
  const heardMs: number[] = [];
  const acknowledgedMs: number[] = [];
  const sentAtMs = new Map<number, number>();
  for (let turn = 0; turn < writes; turn++) {
    const sentMs = performance.now();
    const number = await writeOne(a.origin, station, { sku: `${turn} x`, resources: 1 });
    acknowledgedMs.push(performance.now() - sentMs);
    sentAtMs.set(number, sentMs);
    await requireVisible(b, number);
    await sleep(Math.max(0, sentMs + intervalMs - performance.now()));
  }
  await sleep(2_000);
  end.abort();
  await ended;
  for (const [number, sentMs] of sentAtMs) {
    const heard = heardAtMs.get(number);
    if (heard === undefined) throw new WrongAnswer(`the stream of the other node never told of ${number}`);
    heardMs.push(heard - sentMs);
  }
  return {
    writes,
    heardP50Ms: percentile(heardMs, 0.5),
    heardP99Ms: percentile(heardMs, 0.99),
    acknowledgedP50Ms: percentile(acknowledgedMs, 0.5),
  };
}

async function requireVisible(node: RosterServer, number: number): Promise<void> {
  const response = await fetch(`${node.origin}${listPath('page.size=0', station)}`);
  await response.arrayBuffer();
  const shown = numberOf(response.headers.get('roster-revision') ?? '');
  if (!(shown >= number))
    throw new WrongAnswer(`the other node showed ${shown} after ${number} was acknowledged`);
}

/** Resolves when the stream is open. */
async function listen(
  node: RosterServer,
  heardAtMs: Map<number, number>,
  signal: AbortSignal,
): Promise<{ ended: Promise<void> }> {
  const response = await fetch(`${node.origin}${rosterStationPath(station)}/changes/stream`, { signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const read = async () => {
    for (let text = ''; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = (text + value).split('\n\n');
      text = events.pop()!;
      for (const event of events) {
        const number = /"revision":"[^".]+\.(\d+)"/.exec(event)?.[1];
        if (number !== undefined) heardAtMs.set(Number(number), performance.now());
      }
    }
  };
  return { ended: read().catch(() => undefined) };
}
