import type { ListQuery } from './list-query.ts';
import { ownParameterNames } from './own-parameters.ts';
import { parseFilters } from './parse-filters.ts';
import { parseChoice } from './parse-parameter.ts';
import { QueryParameters } from './query-parameters.ts';

export const exportFormats = ['ndjson', 'csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportQuery {
  readonly filters: ListQuery;
  /** Undefined when the request leaves it to its Accept header. */
  readonly format: ExportFormat | undefined;
}

export function parseExportQuery(search: string): ExportQuery {
  const given = new QueryParameters(search, ownParameterNames.exportResources);
  return { filters: parseFilters(given), format: parseChoice('format', given.one('format'), exportFormats) };
}
