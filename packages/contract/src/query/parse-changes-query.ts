import { limits } from '../limits.ts';
import { type HistoryPosition, parseHistoryPosition } from '../revision/history-position.ts';
import { parseBoolean, parseCount } from './parse-parameter.ts';
import { QueryParameters } from './query-parameters.ts';
import { rosterParameterNames, searchFilterNames } from './roster-parameters.ts';
import {
  labelFamily,
  parseSearchFilters,
  parseTimeRange,
  type SearchFilters,
  type TimeRange,
} from './search-query.ts';

export interface StreamQuery {
  /** Undefined for the whole history kept or, in a stream, for new changes only. */
  readonly since: HistoryPosition | undefined;
  readonly resourceId: string | undefined;
  /** Only changes of resources that match before or after; undefined for all. */
  readonly filters: SearchFilters | undefined;
}

export interface ChangesQuery extends StreamQuery {
  /** From a time up to, but without, another. */
  readonly changedMs: TimeRange;
  /** Only changes of the state. What was not there, or is no longer, counts as inactive. */
  readonly stateChangesOnly: boolean;
  readonly limit: number;
}

export function parseStreamQuery(search: string): StreamQuery {
  return readStart(new QueryParameters(search, rosterParameterNames.streamChanges, { family: labelFamily }));
}

export function parseChangesQuery(search: string): ChangesQuery {
  const given = new QueryParameters(search, rosterParameterNames.listChanges, { family: labelFamily });
  const limit = parseCount('page.size', given.one('page.size'), limits.maxHistoryPage);
  return {
    ...readStart(given),
    changedMs: parseTimeRange('changed', given),
    stateChangesOnly: parseBoolean('state_changes', given.one('state_changes')) ?? false,
    limit: limit ?? limits.defaultHistoryPage,
  };
}

type StartName = 'since' | 'resource_id' | (typeof searchFilterNames)[number];

function readStart(given: Pick<QueryParameters<StartName>, 'one' | 'all' | 'family'>): StreamQuery {
  const since = given.one('since');
  return {
    since: since === undefined ? undefined : parseHistoryPosition(since, 'since'),
    resourceId: given.one('resource_id'),
    filters: hasFilters(given) ? parseSearchFilters(given) : undefined,
  };
}

function hasFilters(given: Pick<QueryParameters<StartName>, 'all' | 'family'>): boolean {
  return given.family().size > 0 || searchFilterNames.some((name) => given.all(name).length > 0);
}
