import { RosterError } from './errors.ts';
import { limits } from './limits.ts';
import { nearestName } from './nearest-name.ts';
import { quote } from './quote.ts';

const maxShownFaults = 20;

/** The members of a JSON body. Those without a known name become faults. */
export function readMembers<Name extends string>(
  input: unknown,
  names: readonly Name[],
  faults: string[],
): Partial<Record<Name, unknown>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new RosterError('invalid_body', `the body must be a JSON object, got ${quote(input)}`);
  }
  const unknown = Object.keys(input).filter((name) => !(names as readonly string[]).includes(name));
  faults.push(...unknown.slice(0, limits.maxReportedFaults).map((name) => unknownMember(name, names)));
  return input;
}

/** Throws `invalid_body` with all faults, if there are any. */
export function refuseFaults(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const shown = faults.slice(0, maxShownFaults);
  const more = faults.length > shown.length ? `; and ${faults.length - shown.length} more` : '';
  throw new RosterError('invalid_body', `${shown.join('; ')}${more}`, { extensions: { faults: shown } });
}

function unknownMember(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  const hint = nearest ? `did you mean ${quote(nearest)}?` : `known are ${names.join(', ')}`;
  return `${quote(name)} is not a known member; ${hint}`;
}
