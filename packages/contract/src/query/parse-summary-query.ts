import type { ListQuery } from './list-query.ts';
import { parseFilters } from './parse-filters.ts';
import { QueryParameters } from './query-parameters.ts';
import { rosterParameterNames } from './roster-parameters.ts';

export function parseSummaryQuery(search: string): ListQuery {
  return parseFilters(new QueryParameters(search, rosterParameterNames.summariseResources));
}
