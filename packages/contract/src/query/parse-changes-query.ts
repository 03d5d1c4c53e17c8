import { limits } from '../limits.ts';
import { type HistoryPosition, parseHistoryPosition } from '../revision/history-position.ts';
import { parseCount } from './parse-parameter.ts';
import { QueryParameters } from './query-parameters.ts';
import { rosterParameterNames } from './roster-parameters.ts';

export interface StreamQuery {
  /** Undefined for the whole history kept or, in a stream, for new changes only. */
  readonly since: HistoryPosition | undefined;
  readonly resourceId: string | undefined;
}

export interface ChangesQuery extends StreamQuery {
  readonly limit: number;
}

export function parseStreamQuery(search: string): StreamQuery {
  return readStart(new QueryParameters(search, rosterParameterNames.streamChanges));
}

export function parseChangesQuery(search: string): ChangesQuery {
  const given = new QueryParameters(search, rosterParameterNames.listChanges);
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
