import { RosterError } from './errors.ts';
import { quote } from './quote.ts';

/** What a write of a resource type depends on: its version, that there is one, or that there is none. */
export type TypeCondition = { readonly version: string } | 'present' | 'absent';

interface ConditionHeaders {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
}

/** Undefined when the write depends on nothing. */
export function parseTypeCondition(headers: ConditionHeaders): TypeCondition | undefined {
  const ifMatch = headers['if-match']?.trim();
  const ifNoneMatch = headers['if-none-match']?.trim();
  if (ifNoneMatch === undefined) return ifMatch === undefined ? undefined : parseIfMatch(ifMatch);
  if (ifNoneMatch !== '*') {
    throw refuse('If-None-Match', `must be *, which writes only where there is no such type`, ifNoneMatch);
  }
  if (ifMatch !== undefined) throw refuse('If-None-Match', 'and If-Match cannot both hold', ifNoneMatch);
  return 'absent';
}

/** An ETag is the version and the language that it was read in. */
function parseIfMatch(header: string): TypeCondition {
  if (header === '*') return 'present';
  const version = /^"([0-9a-f]+)(?:-[A-Za-z0-9-]+)?"$/.exec(header)?.[1];
  if (version !== undefined) return { version };
  throw refuse('If-Match', 'must be the version or the ETag of the type in double quotes, or *', header);
}

function refuse(parameter: string, complaint: string, got: string): RosterError {
  return new RosterError('invalid_parameter', `${parameter} ${complaint}, got ${quote(got)}`, { parameter });
}
