import { checkCount, quote } from '../check-argument.ts';
import { invalidArgument } from '../errors.ts';
import type { ListDelimiter } from './list-query.ts';
import { boolean, encodeSearchFilters, type SearchFilters, time } from './search-query.ts';

/** With filters, only changes of resources that match before or after; each then has a `match`. */
export interface ChangesQuery extends SearchFilters {
  /** A revision, or `next` of an earlier answer; by default the whole history kept. */
  readonly since?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly changedAfter?: Date | string | undefined;
  readonly changedBefore?: Date | string | undefined;
  /** Only changes of the state. */
  readonly stateChanges?: boolean | undefined;
  /** Changes per page. */
  readonly size?: number | undefined;
}

export function encodeChangesQuery(
  { since, resourceId, changedAfter, changedBefore, stateChanges, size, ...filters }: ChangesQuery,
  delimiter: ListDelimiter,
): URLSearchParams {
  const parameters = encodeSearchFilters(filters, delimiter);
  if (since !== undefined) parameters.append('since', checkText('since', since));
  if (resourceId !== undefined) parameters.append('resource_id', checkText('resourceId', resourceId));
  if (changedAfter !== undefined) time('changedAfter', 'changed_after')(parameters, changedAfter, delimiter);
  if (changedBefore !== undefined) {
    time('changedBefore', 'changed_before')(parameters, changedBefore, delimiter);
  }
  if (stateChanges !== undefined)
    boolean('stateChanges', 'state_changes')(parameters, stateChanges, delimiter);
  if (size !== undefined) parameters.append('page.size', String(checkCount('size', size)));
  return parameters;
}

function checkText(member: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw invalidArgument(`${member} must be a non-empty string, or omitted, got ${quote(value)}`);
}
