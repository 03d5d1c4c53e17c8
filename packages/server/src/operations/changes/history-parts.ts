import type { StationAddress } from '@roster/contract';
import type { HistoryPage, HistoryQuery, Store } from '@roster/engine';
import type { HeavyRead } from '../../pipeline/shedding/heavy-reads.ts';
import { readVisibleHistory } from './visible-history.ts';

/** What the store reads, and the event loop renders, in a few milliseconds. */
const changesPerPart = 500;

export interface HistoryParts {
  readonly store: Store;
  readonly address: StationAddress;
  readonly query: HistoryQuery;
}

/** A page of history in parts, each of which goes on where the one before it ended. There is at least one. */
export async function* readHistoryParts(
  { store, address, query }: HistoryParts,
  read: HeavyRead,
): AsyncGenerator<HistoryPage> {
  let { since, limit: left } = query;
  for (;;) {
    const limit = Math.min(left, changesPerPart);
    const part = await read.ask(() => readVisibleHistory(store, address, { ...query, since, limit }));
    await read.slicer.pause();
    yield part;
    left -= part.changes.length;
    if (left === 0 || !part.hasMore) return;
    since = part.next;
  }
}
