import { formatRevision, type Revision, RosterError } from '@roster/contract';

interface KnownHistory {
  readonly head: Revision;
  /** All changes after this revision are known. */
  readonly oldestRevision: number;
}

/** Throws `revision_expired` unless all changes after `since` are known. */
export function requireKnownHistory({ head, oldestRevision }: KnownHistory, since: Revision): void {
  const known = since.epoch === head.epoch && since.number >= oldestRevision && since.number <= head.number;
  if (!known) throw revisionExpired(since);
}

export function revisionExpired(since: Revision): RosterError {
  return new RosterError(
    'revision_expired',
    `the changes after revision ${formatRevision(since)} are not known, or not any more; ` +
      'read the station anew and go on from its revision',
  );
}
