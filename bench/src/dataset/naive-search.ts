import { matchesSearch, type Resource, type SearchQuery } from '@roster/contract';
import type { ListAnswer } from './naive-list.ts';

/** The correct answer of a search, by a plain scan. `sorted` comes from `sortForListing`. */
export function naiveSearch(sorted: readonly Resource[], query: SearchQuery): ListAnswer {
  const found = sorted.filter((resource) => matchesSearch(resource, query));
  // Stable, so ties stay in the order of the list.
  if (query.order.field === 'state_since') {
    const sign = query.order.isDescending ? -1 : 1;
    found.sort((a, b) => sign * (a.stateSinceMs - b.stateSinceMs));
  }
  const { offset, size } = query.page;
  const ids = found.slice(offset, offset + size).map(({ resourceId }) => resourceId);
  return { total: found.length, ids };
}
