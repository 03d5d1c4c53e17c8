import type { DatabaseSync } from 'node:sqlite';
import type { Revision, StationAddress } from '@roster/contract';
import type { Head } from '@roster/engine/port';
import { randomEpoch, randomRevId } from '../../shared/random-identifiers.ts';
import { addressColumns, addressValues } from '../../shared/stations.ts';
import { requireRevision } from '../../shared/store-errors.ts';
import { findStation, hasDamagedStations, locateStation, requireStation } from '../database/find-station.ts';
import { withLargeCache } from '../database/open-database.ts';
import { sealRows } from '../database/row-checksums.ts';
import { runTransaction } from '../database/run-transaction.ts';
import { isDamage } from '../database/translate-error.ts';
import { recordRevision } from './advance-revision.ts';

export function createStation(db: DatabaseSync, address: StationAddress): { created: boolean; head: Head } {
  return runTransaction(db, () => {
    const existing = findStation(db, address);
    if (existing) return { created: false, head: existing.head };
    const head = { epoch: randomEpoch(), number: 0, revId: randomRevId() };
    const { lastInsertRowid } = db
      .prepare(
        `INSERT INTO stations (${addressColumns.join(', ')}, epoch, revision, rev_id, checksum)
         VALUES (?, ?, ?, ?, ?, ?, ?, 0)`,
      )
      .run(...addressValues(address), head.epoch, head.number, head.revId);
    const id = Number(lastInsertRowid);
    sealRows(db, 'stations', `id = ${id}`);
    recordRevision(db, id, head, { changes: 0, versions: 0 });
    return { created: true, head };
  });
}

export interface StationDeletion {
  readonly deleted: boolean;
  /** Whether other stations are still damaged; undefined where that has not changed. */
  readonly hasDamagedStations: boolean | undefined;
}

/** Works on a damaged station too, unless the deletion depends on its revision. */
export function deleteStation(
  db: DatabaseSync,
  address: StationAddress,
  ifRevision: Revision | undefined,
): StationDeletion {
  try {
    return deleteRows(db, address, ifRevision);
  } catch (error) {
    if (!isDamage(error)) throw error;
    // A row that an index does not find cannot be deleted; the tables suffice to rebuild all indexes.
    db.exec('REINDEX');
    return deleteRows(db, address, ifRevision);
  }
}

function deleteRows(
  db: DatabaseSync,
  address: StationAddress,
  ifRevision: Revision | undefined,
): StationDeletion {
  return withLargeCache(db, () =>
    runTransaction(db, () => {
      const station = locateStation(db, address);
      if (!station) return { deleted: false, hasDamagedStations: undefined };
      if (ifRevision) requireRevision(requireStation(db, address).head, ifRevision);
      const { id, isDamaged } = station;
      for (const table of ['resources', 'past_versions', 'revisions', 'trends']) {
        db.prepare(`DELETE FROM ${table} WHERE station_id = ?`).run(id);
      }
      db.prepare('DELETE FROM stations WHERE id = ?').run(id);
      return { deleted: true, hasDamagedStations: isDamaged ? hasDamagedStations(db) : undefined };
    }),
  );
}
