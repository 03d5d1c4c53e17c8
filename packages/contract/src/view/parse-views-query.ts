import { limits } from '../limits.ts';
import { parseBoolean, parseCount } from '../query/parse-parameter.ts';
import { QueryParameters } from '../query/query-parameters.ts';
import { rosterParameterNames } from '../query/roster-parameters.ts';

export interface ViewsQuery {
  /** Only shared views, or only the caller's own. */
  readonly shared: boolean | undefined;
  readonly offset: number;
  readonly size: number;
}

export function parseViewsQuery(search: string): ViewsQuery {
  const given = new QueryParameters(search, rosterParameterNames.listViews);
  parseCount('page.total', given.one('page.total'), Number.MAX_SAFE_INTEGER);
  return {
    shared: parseBoolean('shared', given.one('shared')),
    offset: parseCount('page.offset', given.one('page.offset'), Number.MAX_SAFE_INTEGER) ?? 0,
    size: parseCount('page.size', given.one('page.size'), limits.maxPageSize) ?? limits.defaultPageSize,
  };
}
