import type { DatabaseSync } from 'node:sqlite';
import type { Revision, StationAddress } from '@roster/contract';
import type { Head, StationCounts, WriteResult } from '@roster/engine';
import { randomEpoch, randomRevId } from '../shared/random-identifiers.ts';
import { requireRevision } from '../shared/require-revision.ts';
import { resourceNotFound } from '../shared/store-errors.ts';
import { advanceRevision, completeRevision, recordRevision } from './advance-revision.ts';
import { findStation, requireStation, type StationRow } from './find-station.ts';
import { withLargeCache } from './open-database.ts';
import { endVersions } from './past-versions.ts';
import { runTransaction } from './run-transaction.ts';

export function createStation(db: DatabaseSync, address: StationAddress): { created: boolean; head: Head } {
  return runTransaction(db, () => {
    const existing = findStation(db, address);
    if (existing) return { created: false, head: existing.head };
    const head = { epoch: randomEpoch(), number: 0, revId: randomRevId() };
    const { lastInsertRowid } = db
      .prepare(
        `INSERT INTO stations (subscription, resource_group, zone, name, epoch, revision, rev_id)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        address.subscription,
        address.resourceGroup,
        address.zone,
        address.name,
        head.epoch,
        head.number,
        head.revId,
      );
    recordRevision(db, Number(lastInsertRowid), head);
    return { created: true, head };
  });
}

export interface StationToDelete {
  readonly address: StationAddress;
  readonly ifRevision: Revision | undefined;
}

/** Returns whether there was such a station. */
export function deleteStation(db: DatabaseSync, { address, ifRevision }: StationToDelete): boolean {
  return withLargeCache(db, () =>
    runTransaction(db, () => {
      const station = findStation(db, address);
      if (!station) return false;
      requireRevision(station.head, ifRevision);
      for (const table of ['resources', 'past_versions', 'revisions']) {
        db.prepare(`DELETE FROM ${table} WHERE station_id = ?`).run(station.id);
      }
      db.prepare('DELETE FROM stations WHERE id = ?').run(station.id);
      return true;
    }),
  );
}

export interface ResourceToRemove {
  readonly address: StationAddress;
  readonly resourceId: string;
  readonly ifRevision: Revision | undefined;
}

export interface Removal {
  readonly result: WriteResult;
  readonly counts: StationCounts;
}

export function removeResource(db: DatabaseSync, removal: ResourceToRemove): Removal {
  return runTransaction(db, () => {
    const station = requireStation(db, removal.address);
    requireRevision(station.head, removal.ifRevision);
    const head = advanceRevision(db, station.id)!;
    const id = requireResource(db, station, removal.resourceId);
    endVersions(db, { revision: head.number, removed: true, of: `resources r WHERE r.id = ${id}` });
    db.prepare('DELETE FROM resources WHERE id = ?').run(id);
    const counts = completeRevision(db, station.id, head);
    const result = { head, created: 0, updated: 0, unchanged: 0, removed: 1, newTypes: [] };
    return { result, counts };
  });
}

function requireResource(db: DatabaseSync, station: StationRow, resourceId: string): number {
  const row = db
    .prepare('SELECT id FROM resources WHERE station_id = ? AND resource_id = ?')
    .get(station.id, resourceId) as { id: number } | undefined;
  if (!row) throw resourceNotFound(resourceId);
  return row.id;
}
