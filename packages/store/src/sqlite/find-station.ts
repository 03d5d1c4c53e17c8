import type { DatabaseSync } from 'node:sqlite';
import { type StationAddress, stationNotFound } from '@roster/contract';
import type { Head } from '@roster/engine';

export interface StationRow {
  readonly id: number;
  readonly head: Head;
  /** All changes after this revision are known. */
  readonly oldestRevision: number;
  /** How many resources it has. */
  readonly size: number;
}

const selectStation =
  "SELECT id, epoch, revision, rev_id, oldest_revision, counts ->> '$.resources' AS size FROM stations";

export function findStation(db: DatabaseSync, address: StationAddress): StationRow | undefined {
  const row = db
    .prepare(`${selectStation} WHERE subscription = ? AND resource_group = ? AND zone = ? AND name = ?`)
    .get(address.subscription, address.resourceGroup, address.zone, address.name);
  return row && toStation(row as unknown as StoredStation);
}

export function requireStation(db: DatabaseSync, address: StationAddress): StationRow {
  const station = findStation(db, address);
  if (!station) throw stationNotFound(address);
  return station;
}

export function findStationById(db: DatabaseSync, id: number): StationRow | undefined {
  const row = db.prepare(`${selectStation} WHERE id = ?`).get(id);
  return row && toStation(row as unknown as StoredStation);
}

interface StoredStation {
  readonly id: number;
  readonly epoch: string;
  readonly revision: number;
  readonly rev_id: string;
  readonly oldest_revision: number;
  readonly size: number;
}

function toStation({ id, epoch, revision, rev_id, oldest_revision, size }: StoredStation): StationRow {
  return { id, head: { epoch, number: revision, revId: rev_id }, oldestRevision: oldest_revision, size };
}
