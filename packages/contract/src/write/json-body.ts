import { RosterError } from '../errors.ts';
import { limits } from '../limits.ts';
import { nearestName } from '../nearest-name.ts';
import { quote } from '../quote.ts';

const maxShownErrors = 20;

/** The members of a JSON body. Unknown ones are errors. */
export function readMembers<Name extends string>(
  input: unknown,
  names: readonly Name[],
  errors: string[],
): Partial<Record<Name, unknown>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new RosterError('invalid_body', `the body must be a JSON object, got ${quote(input)}`);
  }
  const unknown = Object.keys(input).filter((name) => !(names as readonly string[]).includes(name));
  errors.push(...unknown.slice(0, limits.maxReportedErrors).map((name) => unknownMember(name, names)));
  return input;
}

/** Throws `invalid_body` with all errors, if there are any. */
export function throwInvalidBody(errors: readonly string[]): void {
  if (errors.length === 0) return;
  const shown = errors.slice(0, maxShownErrors);
  const more = errors.length > shown.length ? `; and ${errors.length - shown.length} more` : '';
  throw new RosterError('invalid_body', `${shown.join('; ')}${more}`, { extensions: { faults: shown } });
}

function unknownMember(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  const hint = nearest ? `did you mean ${quote(nearest)}?` : `known are ${names.join(', ')}`;
  return `${quote(name)} is not a known member; ${hint}`;
}
