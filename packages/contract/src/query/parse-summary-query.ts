import { QueryParameters } from './query-parameters.ts';
import { rosterParameterNames } from './roster-parameters.ts';
import { labelFamily, parseSearchFilters, type SearchFilters } from './search-query.ts';

export function parseSummaryQuery(search: string): SearchFilters {
  const names = rosterParameterNames.summariseResources;
  return parseSearchFilters(new QueryParameters(search, names, { family: labelFamily }));
}
