import { RosterError } from './errors.ts';
import { quote } from './quote.ts';
import { formatRevision, type Revision, readRevision } from './revision.ts';

/**
 * How far someone has read a history: everything up to and including the revision and, where `within` is
 * given, part of the revision that follows it. Only a store knows what `within` means; it consists of
 * digits, lower-case letters and hyphens.
 */
export interface HistoryPosition extends Revision {
  readonly within?: string | undefined;
}

/** A position is written as its revision, `<epoch>.<number>`, with `.<within>` behind it where it has one. */
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
      `${parameter} must be a revision as <epoch>.<number>, or what an earlier answer gave as next, got ${quote(text)}`,
      { parameter },
    );
  }
  return within === undefined ? revision : { ...revision, within };
}
