import type { SearchQuery } from '@roster/contract';
import { hasRowFilters } from '../index/search/search-filter.ts';
import { quietState } from '../port/station-part.ts';
import type { StationPart } from '../port/store.ts';

/** The smallest part of all stations that has every match of a search and everything its facets count. */
export function partFor(query: SearchQuery): StationPart {
  const { states, covered, facets } = query;
  const isAlerting = states?.includes(quietState) === false;
  if (isAlerting && (!facets.includes('state') || countsStates(query))) return 'alerting';
  return covered === false && !facets.includes('covered') ? 'uncovered' : 'all';
}

/** Whether the states that a search has as a facet are those that stations count anyway. */
export function countsStates(query: SearchQuery): boolean {
  const { resourceIds, types, product, displayNamePrefix, alertableOnly, alertable, covered } = query;
  const isFiltered =
    [resourceIds, types, product, displayNamePrefix, alertable, covered].some((each) => each !== undefined) ||
    alertableOnly ||
    hasRowFilters(query);
  return query.facets.includes('state') && !isFiltered;
}
