import { parseChoice } from './parse-parameter.ts';
import { QueryParameters } from './query-parameters.ts';
import { rosterParameterNames } from './roster-parameters.ts';
import { labelFamily, parseSearchFilters, type SearchFilters } from './search-query.ts';

export const exportFormats = ['ndjson', 'csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportQuery {
  readonly filters: SearchFilters;
  /** Undefined if the Accept header decides. */
  readonly format: ExportFormat | undefined;
}

export function parseExportQuery(search: string): ExportQuery {
  const given = new QueryParameters(search, rosterParameterNames.exportResources, { family: labelFamily });
  return {
    filters: parseSearchFilters(given),
    format: parseChoice('format', given.one('format'), exportFormats),
  };
}
