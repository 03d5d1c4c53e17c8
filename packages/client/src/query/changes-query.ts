import { checkCount, quote, refuseUnknownMembers } from '../check-argument.ts';
import { invalidArgument } from '../errors.ts';

export interface ChangesQuery {
  /** A revision, or `next` of an earlier answer; by default the whole history kept. */
  readonly since?: string | undefined;
  readonly resourceId?: string | undefined;
  /** Changes per page. */
  readonly size?: number | undefined;
}

export function encodeChangesQuery(query: ChangesQuery): URLSearchParams {
  refuseUnknownMembers('the query', query, ['since', 'resourceId', 'size']);
  const { since, resourceId, size } = query;
  const parameters = new URLSearchParams();
  if (since !== undefined) parameters.append('since', checkText('since', since));
  if (resourceId !== undefined) parameters.append('resource_id', checkText('resourceId', resourceId));
  if (size !== undefined) parameters.append('page.size', String(checkCount('size', size)));
  return parameters;
}

function checkText(member: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw invalidArgument(`${member} must be a non-empty string, or omitted, got ${quote(value)}`);
}
