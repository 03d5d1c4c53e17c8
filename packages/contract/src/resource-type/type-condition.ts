import { RosterError } from '../errors.ts';
import { quote } from '../quote.ts';

/** The condition for writing a resource type: a version, that it exists, or that it does not. */
export type TypeCondition = { readonly version: string } | 'present' | 'absent';

interface ConditionHeaders {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
}

/** Undefined for an unconditional write. */
export function parseTypeCondition(headers: ConditionHeaders): TypeCondition | undefined {
  const ifMatch = headers['if-match']?.trim();
  const ifNoneMatch = headers['if-none-match']?.trim();
  if (ifNoneMatch === undefined) return ifMatch === undefined ? undefined : parseIfMatch(ifMatch);
  if (ifNoneMatch !== '*') {
    throw refuse('If-None-Match', `must be *, which writes only if there is no such type`, ifNoneMatch);
  }
  if (ifMatch !== undefined) throw refuse('If-None-Match', 'cannot be combined with If-Match', ifNoneMatch);
  return 'absent';
}

/** An ETag is the version plus the language of the response. */
function parseIfMatch(header: string): TypeCondition {
  if (header === '*') return 'present';
  const version = /^"([0-9a-f]+)(?:-[A-Za-z0-9-]+)?"$/.exec(header)?.[1];
  if (version !== undefined) return { version };
  throw refuse('If-Match', 'must be the version or the ETag of the type in double quotes, or *', header);
}

function refuse(parameter: string, reason: string, got: string): RosterError {
  return new RosterError('invalid_parameter', `${parameter} ${reason}, got ${quote(got)}`, { parameter });
}
