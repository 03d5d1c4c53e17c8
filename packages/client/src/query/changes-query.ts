import { checkCount, quote } from '../check-argument.ts';
import { invalidArgument } from '../errors.ts';
import type { ListDelimiter } from './list-query.ts';
import { encodeSearchFilters, type SearchFilters } from './search-query.ts';

/** With filters, only changes of resources that match before or after; each then has a `match`. */
export interface ChangesQuery extends SearchFilters {
  /** A revision, or `next` of an earlier answer; by default the whole history kept. */
  readonly since?: string | undefined;
  readonly resourceId?: string | undefined;
  /** Changes per page. */
  readonly size?: number | undefined;
}

export function encodeChangesQuery(
  { since, resourceId, size, ...filters }: ChangesQuery,
  delimiter: ListDelimiter,
): URLSearchParams {
  const parameters = encodeSearchFilters(filters, delimiter);
  if (since !== undefined) parameters.append('since', checkText('since', since));
  if (resourceId !== undefined) parameters.append('resource_id', checkText('resourceId', resourceId));
  if (size !== undefined) parameters.append('page.size', String(checkCount('size', size)));
  return parameters;
}

function checkText(member: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw invalidArgument(`${member} must be a non-empty string, or omitted, got ${quote(value)}`);
}
