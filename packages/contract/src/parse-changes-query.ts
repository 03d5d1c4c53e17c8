import { type HistoryPosition, parseHistoryPosition } from './history-position.ts';
import { limits } from './limits.ts';
import { ownParameterNames } from './own-parameters.ts';
import { parseCount } from './parse-parameter.ts';
import { QueryParameters } from './query-parameters.ts';

export interface ChangesQuery {
  /** Undefined asks for everything that is still known. */
  readonly since: HistoryPosition | undefined;
  readonly resourceId: string | undefined;
  readonly limit: number;
}

export type StreamQuery = Omit<ChangesQuery, 'limit'>;

export function parseStreamQuery(search: string): StreamQuery {
  const given = new QueryParameters(search, ownParameterNames.streamChanges);
  const since = given.one('since');
  return {
    since: since === undefined ? undefined : parseHistoryPosition(since, 'since'),
    resourceId: given.one('resource_id'),
  };
}

export function parseChangesQuery(search: string): ChangesQuery {
  const given = new QueryParameters(search, ownParameterNames.listChanges);
  const since = given.one('since');
  return {
    since: since === undefined ? undefined : parseHistoryPosition(since, 'since'),
    resourceId: given.one('resource_id'),
    limit:
      parseCount('page.size', given.one('page.size'), limits.maxHistoryPage) ?? limits.defaultHistoryPage,
  };
}
