import type { DatabaseSync } from 'node:sqlite';
import { quote, RosterError, type StationAddress, stationNotFound } from '@roster/contract';
import type { Head, WriteResult } from '@roster/engine';
import { advanceRevision, recordRevision } from './advance-revision.ts';
import { findStation, requireStation } from './find-station.ts';
import { withLargeCache } from './open-database.ts';
import { randomEpoch, randomRevId } from './random-identifiers.ts';
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

export function deleteStation(db: DatabaseSync, address: StationAddress): boolean {
  return withLargeCache(db, () =>
    runTransaction(db, () => {
      const station = findStation(db, address);
      if (!station) return false;
      for (const table of ['resources', 'tombstones', 'revisions']) {
        db.prepare(`DELETE FROM ${table} WHERE station_id = ?`).run(station.id);
      }
      db.prepare('DELETE FROM stations WHERE id = ?').run(station.id);
      return true;
    }),
  );
}

export function removeResource(db: DatabaseSync, address: StationAddress, resourceId: string): WriteResult {
  return runTransaction(db, () => {
    const station = requireStation(db, address);
    const head = advanceRevision(db, station.id);
    if (!head) throw stationNotFound(address);
    const { changes } = db
      .prepare('DELETE FROM resources WHERE station_id = ? AND resource_id = ?')
      .run(station.id, resourceId);
    if (changes === 0) {
      throw new RosterError('resource_not_found', `the station has no resource ${quote(resourceId)}`);
    }
    db.prepare('INSERT OR REPLACE INTO tombstones VALUES (?, ?, ?)').run(station.id, resourceId, head.number);
    recordRevision(db, station.id, head);
    return { head, created: 0, updated: 0, unchanged: 0, removed: 1 };
  });
}

/**
 * Forgets the history up to the newest revision of each station that is older than `keepMs`. That revision
 * itself stays known: a feed from there misses nothing.
 */
export function compact(db: DatabaseSync, keepMs: number): void {
  runTransaction(db, () => {
    const floors = db
      .prepare(
        `SELECT station_id AS station, max(revision) AS floor
         FROM revisions WHERE committed_ms <= ? GROUP BY station_id`,
      )
      .all(Date.now() - keepMs) as { station: number; floor: number }[];
    const dropTombstones = db.prepare('DELETE FROM tombstones WHERE station_id = ? AND revision <= ?');
    const dropRevisions = db.prepare('DELETE FROM revisions WHERE station_id = ? AND revision < ?');
    for (const { station, floor } of floors) {
      dropTombstones.run(station, floor);
      dropRevisions.run(station, floor);
    }
  });
}
