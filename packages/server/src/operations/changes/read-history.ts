import {
  type ChangeView,
  formatRevision,
  matchesSearch,
  matchOf,
  type SearchFilters,
  type StationAddress,
  stationNotFound,
  viewChange,
} from '@roster/contract';
import type { Change, HistoryPage, HistoryQuery, Store } from '@roster/engine';

/**
 * Reads a page of history up to the revision that lists show: a client that hears of a change and then lists must
 * find it.
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

/** Views the changes that match the filters, if there are any. */
export function viewPastChanges(
  { changes, next: { epoch } }: HistoryPage,
  filters: SearchFilters | undefined,
  labelOf: (typeKey: string) => string,
): PastChangeView[] {
  if (filters === undefined) return changes.map((change) => viewPastChange(change, epoch, labelOf));
  return changes.flatMap((change) => {
    const match = matchOf(change.before, change.after, (resource) => matchesSearch(resource, filters));
    return match === undefined ? [] : [{ ...viewPastChange(change, epoch, labelOf), match }];
  });
}

/** A change with its revision. */
type PastChangeView = ReturnType<typeof viewPastChange>;

function viewPastChange(
  { revision, changedAtMs, before, after }: Change,
  epoch: string,
  labelOf: (typeKey: string) => string,
): ChangeView & { revision: string; changed_at: string } {
  return {
    revision: formatRevision({ epoch, number: revision }),
    changed_at: new Date(changedAtMs).toISOString(),
    ...viewChange(before, after, labelOf),
  };
}
