import type { ClientBase } from 'pg';
import type { Heads } from './heads-query.ts';
import { hasLostTail, type KnownStation, type KnownStations } from './known-stations.ts';
import { renewLostEpochs } from './renew-epochs.ts';

export interface TakenIn {
  /** What was known when the question was sent, in the same order: it must be part of the answer. */
  readonly before: readonly (KnownStation | undefined)[];
  readonly heads: Heads;
}

/**
 * Notes where stations are. Those that fell behind what was known of them go on in a new epoch first, and have to be
 * asked for again. Returns whether that is so.
 */
export async function takeInHeads(
  client: ClientBase,
  known: KnownStations,
  { before, heads }: TakenIn,
): Promise<boolean> {
  const { stations } = heads;
  const lost = before.filter((station, at) => station && hasLost(station, stations[at])) as KnownStation[];
  if (lost.length > 0) {
    await renewLostEpochs(client, lost);
    for (const station of lost) known.forget(station);
    return true;
  }
  for (const [at, station] of stations.entries()) {
    if (station) known.note(station);
    else if (before[at]) known.forget(before[at]);
  }
  return false;
}

function hasLost({ id, head }: KnownStation, answer: KnownStation | undefined): boolean {
  return answer?.id === id && hasLostTail(head, answer.head);
}
