import type { ListQuery } from './list-query.ts';
import { parseFilters } from './parse-filters.ts';
import { parseChoice } from './parse-parameter.ts';
import { QueryParameters } from './query-parameters.ts';
import { rosterParameterNames } from './roster-parameters.ts';

export const exportFormats = ['ndjson', 'csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportQuery {
  readonly filters: ListQuery;
  /** Undefined if the Accept header decides. */
  readonly format: ExportFormat | undefined;
}

export function parseExportQuery(search: string): ExportQuery {
  const given = new QueryParameters(search, rosterParameterNames.exportResources);
  return { filters: parseFilters(given), format: parseChoice('format', given.one('format'), exportFormats) };
}
