import { type HistoryPosition, parseHistoryPosition } from './history-position.ts';
import { limits } from './limits.ts';
import { ownParameterNames } from './own-parameters.ts';
import { parseCount } from './parse-parameter.ts';
import { QueryParameters } from './query-parameters.ts';

export interface StreamQuery {
  /** Undefined asks for everything that is still known, or in a stream for what happens from now on. */
  readonly since: HistoryPosition | undefined;
  readonly resourceId: string | undefined;
}

export interface ChangesQuery extends StreamQuery {
  readonly limit: number;
}

export function parseStreamQuery(search: string): StreamQuery {
  return readStart(new QueryParameters(search, ownParameterNames.streamChanges));
}

export function parseChangesQuery(search: string): ChangesQuery {
  const given = new QueryParameters(search, ownParameterNames.listChanges);
  const limit = parseCount('page.size', given.one('page.size'), limits.maxHistoryPage);
  return { ...readStart(given), limit: limit ?? limits.defaultHistoryPage };
}

function readStart(given: Pick<QueryParameters<'since' | 'resource_id'>, 'one'>): StreamQuery {
  const since = given.one('since');
  return {
    since: since === undefined ? undefined : parseHistoryPosition(since, 'since'),
    resourceId: given.one('resource_id'),
  };
}
