import { type StationAddress, stationNotFound } from '@roster/contract';
import type { HistoryPage, HistoryQuery, Store } from '@roster/engine';

/**
 * A page of history without changes that lists do not show yet: a client that hears of a change and
 * then lists must find it.
 */
export async function readVisibleHistory(
  store: Store,
  address: StationAddress,
  query: HistoryQuery,
): Promise<HistoryPage> {
  const page = await store.history(address, query);
  const head = await store.head(address);
  if (head === undefined) throw stationNotFound(address);
  const changes = page.changes.filter(({ revision }) => revision <= head.number);
  const isAhead = changes.length < page.changes.length || page.next.number > head.number;
  if (!isAhead || page.next.epoch !== head.epoch) return page;
  return { changes, next: { epoch: head.epoch, number: head.number }, hasMore: false };
}
