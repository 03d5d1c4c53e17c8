import type { DatabaseSync } from 'node:sqlite';
import { resourceColumns } from '../shared/resource-columns.ts';

interface EndOfVersions {
  /** The revision that changes or removes them. */
  readonly revision: number;
  readonly removed: boolean;
  /** The resources as `r`, as SQL. */
  readonly of: string;
}

/** Keeps resources as they are now, right before a write changes or removes them. */
export function endVersions(db: DatabaseSync, { revision, removed, of }: EndOfVersions): void {
  db.prepare(
    `INSERT INTO past_versions (station_id, id, revision, until_revision, removed, ${resourceColumns})
     SELECT r.station_id, r.id, r.revision, ?, ?, ${resourceColumns} FROM ${of}`,
  ).run(revision, Number(removed));
}
