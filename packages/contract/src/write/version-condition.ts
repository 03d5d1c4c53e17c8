import { RosterError } from '../errors.ts';
import { quote } from '../quote.ts';

/** The condition for writing a resource type or a view: a version, that it exists, or that it does not. */
export type VersionCondition = { readonly version: string } | 'present' | 'absent';

interface ConditionHeaders {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
}

/** Undefined for an unconditional write. `what` is being written, for messages. */
export function parseVersionCondition(
  headers: ConditionHeaders,
  what: 'type' | 'view',
): VersionCondition | undefined {
  const ifMatch = headers['if-match']?.trim();
  const ifNoneMatch = headers['if-none-match']?.trim();
  if (ifNoneMatch === undefined) return ifMatch === undefined ? undefined : parseIfMatch(ifMatch, what);
  if (ifNoneMatch !== '*') {
    throw refuse('If-None-Match', `must be *, which writes only if there is no such ${what}`, ifNoneMatch);
  }
  if (ifMatch !== undefined) throw refuse('If-None-Match', 'cannot be combined with If-Match', ifNoneMatch);
  return 'absent';
}

/** The ETag of a type is the version plus the language of the response. */
function parseIfMatch(header: string, what: string): VersionCondition {
  if (header === '*') return 'present';
  const version = /^"([0-9a-f]+)(?:-[A-Za-z0-9-]+)?"$/.exec(header)?.[1];
  if (version !== undefined) return { version };
  throw refuse('If-Match', `must be the version or the ETag of the ${what} in double quotes, or *`, header);
}

function refuse(parameter: string, reason: string, got: string): RosterError {
  return new RosterError('invalid_parameter', `${parameter} ${reason}, got ${quote(got)}`, { parameter });
}
