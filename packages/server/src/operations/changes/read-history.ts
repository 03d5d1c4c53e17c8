import {
  type ChangeView,
  formatRevision,
  type Match,
  matchesSearch,
  matchOf,
  type Resource,
  resourceDefaults,
  type SearchFilters,
  type StationAddress,
  stationNotFound,
  type TimeRange,
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
  return { from: page.from, changes, next: { epoch: head.epoch, number: head.number }, hasMore: false };
}

export interface WantedChanges {
  /** Only changes of resources that match before or after; undefined for all. */
  readonly filters: SearchFilters | undefined;
  readonly stateChangesOnly: boolean;
  readonly changedMs: TimeRange;
}

export function isWanted(change: Change, { filters, stateChangesOnly, changedMs }: WantedChanges): boolean {
  if (change.changedAtMs < changedMs.from) return false;
  if (stateChangesOnly && stateOf(change.before) === stateOf(change.after)) return false;
  return filters === undefined || findMatch(change, filters) !== undefined;
}

/** Views the changes that are wanted; with filters, how each matches them. */
export function viewPastChanges(
  { changes, next: { epoch } }: HistoryPage,
  wanted: WantedChanges,
  labelOf: (typeKey: string) => string,
): PastChangeView[] {
  const { filters } = wanted;
  return changes
    .filter((change) => isWanted(change, wanted))
    .map((change) => {
      const view = viewPastChange(change, epoch, labelOf);
      return filters === undefined ? view : { ...view, match: findMatch(change, filters)! };
    });
}

function findMatch({ before, after }: Change, filters: SearchFilters): Match | undefined {
  return matchOf(before, after, (resource) => matchesSearch(resource, filters));
}

/** Nothing is in no state but inactive. */
function stateOf(resource: Resource | undefined): string {
  return resource?.state ?? resourceDefaults.state;
}

/** A change with its revision. */
type PastChangeView = ReturnType<typeof viewPastChange>;

function viewPastChange(
  { revision, changedAtMs, changedBy, before, after }: Change,
  epoch: string,
  labelOf: (typeKey: string) => string,
): ChangeView & { revision: string; changed_at: string; changed_by?: string } {
  return {
    revision: formatRevision({ epoch, number: revision }),
    changed_at: new Date(changedAtMs).toISOString(),
    ...(changedBy !== undefined && { changed_by: changedBy }),
    ...viewChange(before, after, labelOf),
  };
}
