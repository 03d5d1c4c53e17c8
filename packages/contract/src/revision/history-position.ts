import { RosterError } from '../errors.ts';
import { quote } from '../quote.ts';
import { formatRevision, type Revision, readRevision } from './revision.ts';

/**
 * How far a reader has come in a history: through the revision and, with `within`, into the next one. Only the
 * store interprets `within`, which consists of digits, lower-case letters and hyphens.
 */
export interface HistoryPosition extends Revision {
  readonly within?: string | undefined;
}

/** `<epoch>.<number>`, followed by `.<within>` if there is one. */
export function formatHistoryPosition(position: HistoryPosition): string {
  const revision = formatRevision(position);
  return position.within === undefined ? revision : `${revision}.${position.within}`;
}

export function parseHistoryPosition(text: string, parameter: string): HistoryPosition {
  const [, revisionText = '', within] = /^([^.]*\.[^.]*)(?:\.([0-9a-z-]{1,64}))?$/.exec(text) ?? [];
  const revision = readRevision(revisionText);
  if (revision === undefined) {
    throw new RosterError(
      'invalid_parameter',
      `${parameter} must be a revision (<epoch>.<number>) or the next of an earlier answer, got ${quote(text)}`,
      { parameter },
    );
  }
  return within === undefined ? revision : { ...revision, within };
}
