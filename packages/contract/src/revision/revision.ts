import { RosterError } from '../errors.ts';
import { quote } from '../quote.ts';

/** One state of a station. The epoch distinguishes histories whose numbers would collide. */
export interface Revision {
  readonly epoch: string;
  readonly number: number;
}

export const revisionHeader = 'Roster-Revision';

export function formatRevision(revision: Revision): string {
  return `${revision.epoch}.${revision.number}`;
}

/** The value of a `Roster-Revision` header. */
export function parseRevision(text: string): Revision {
  const revision = readRevision(text);
  if (revision !== undefined) return revision;
  throw new RosterError(
    'invalid_parameter',
    `${revisionHeader} must have the form <epoch>.<number>, as in a response, got ${quote(text)}`,
    { parameter: revisionHeader },
  );
}

/** Undefined if the text is not a revision. */
export function readRevision(text: string): Revision | undefined {
  const match = /^([a-z0-9]{1,32})\.(0|[1-9][0-9]{0,15})$/.exec(text);
  if (!match || !Number.isSafeInteger(Number(match[2]))) return undefined;
  return { epoch: match[1]!, number: Number(match[2]) };
}
