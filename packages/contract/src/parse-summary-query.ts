import type { ListQuery } from './list-query.ts';
import { ownParameterNames } from './own-parameters.ts';
import { parseFilters } from './parse-filters.ts';
import { QueryParameters } from './query-parameters.ts';

export function parseSummaryQuery(search: string): ListQuery {
  return parseFilters(new QueryParameters(search, ownParameterNames.summariseResources));
}
