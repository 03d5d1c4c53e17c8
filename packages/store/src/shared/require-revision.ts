import { formatRevision, type Revision, RosterError } from '@roster/contract';

/** Throws `revision_mismatch` when a write is asked for at another revision than the station's. */
export function requireRevision(current: Revision, wanted: Revision | undefined): void {
  if (!wanted || (wanted.epoch === current.epoch && wanted.number === current.number)) return;
  const revision = formatRevision(current);
  throw new RosterError(
    'revision_mismatch',
    `nothing was written: the station is at revision ${revision}, not at ${formatRevision(wanted)}; ` +
      'look at what has changed, with a dry run for instance, and decide anew',
    { extensions: { revision } },
  );
}
