import type { DatabaseSync } from 'node:sqlite';
import { type StationAddress, stationNotFound } from '@roster/contract';
import type { Head, Station } from '@roster/engine';
import { isSound, rowChecksum } from './row-checksums.ts';

export interface StationRow {
  readonly id: number;
  readonly head: Head;
  /** All changes after this revision are known. */
  readonly oldestRevision: number;
  readonly size: number;
}

const isAt = 'subscription = ? AND resource_group = ? AND zone = ? AND name = ?';

const selectStation =
  "SELECT id, epoch, revision, rev_id, oldest_revision, counts ->> '$.resources' AS size FROM stations";

/** Throws `data_damaged` for a damaged station, like all functions here. */
export function findStation(db: DatabaseSync, address: StationAddress): StationRow | undefined {
  const row = db
    .prepare(`${selectStation} WHERE ${isAt} AND ${isSound('stations')}`)
    .get(address.subscription, address.resourceGroup, address.zone, address.name);
  return row && toStation(row as unknown as StoredStation);
}

/** Finds a station, damaged or not. */
export function locateStation(
  db: DatabaseSync,
  address: StationAddress,
): { readonly id: number; readonly isDamaged: boolean } | undefined {
  const row = db
    .prepare(`SELECT id, checksum <> ${rowChecksum('stations')} AS damaged FROM stations WHERE ${isAt}`)
    .get(address.subscription, address.resourceGroup, address.zone, address.name);
  return row && { id: row.id as number, isDamaged: row.damaged === 1 };
}

export function requireStation(db: DatabaseSync, address: StationAddress): StationRow {
  const station = findStation(db, address);
  if (!station) throw stationNotFound(address);
  return station;
}

export function findStationById(db: DatabaseSync, id: number): StationRow | undefined {
  const row = db.prepare(`${selectStation} WHERE id = ? AND ${isSound('stations')}`).get(id);
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

/** The stations whose own row is undamaged. */
export function loadStations(db: DatabaseSync): Station[] {
  const rows = db.prepare(
    `SELECT
       subscription, resource_group AS resourceGroup, zone, name, epoch, revision AS number, rev_id AS revId,
       counts
     FROM stations WHERE checksum = ${rowChecksum('stations')}`,
  );
  const stations: Station[] = [];
  for (const row of rows.iterate() as Iterable<Record<string, unknown>>) {
    const { subscription, resourceGroup, zone, name, epoch, number, revId, counts } = row as {
      [key in 'subscription' | 'resourceGroup' | 'zone' | 'name' | 'epoch' | 'revId' | 'counts']: string;
    } & { number: number };
    const address = { subscription, resourceGroup, zone, name };
    stations.push({ address, head: { epoch, number, revId }, counts: JSON.parse(counts) });
  }
  return stations;
}

/** Whether some stations cannot be loaded: their row is damaged, missing or not in its index. */
export function hasDamagedStations(db: DatabaseSync): boolean {
  const damaged = `SELECT 1 FROM stations WHERE checksum <> ${rowChecksum('stations')} LIMIT 1`;
  return [damaged, lostStationsSql, unfoundStationsSql].some((sql) => db.prepare(sql).get() !== undefined);
}

/** Stations that the index by address does not find. */
const unfoundStationsSql = `
  SELECT 1 FROM stations s NOT INDEXED WHERE NOT EXISTS (
    SELECT 1 FROM stations f
    WHERE f.subscription = s.subscription AND f.resource_group = s.resource_group AND f.zone = s.zone
      AND f.name = s.name
  ) LIMIT 1
`;

/** Stations that have revisions but no row. Each id takes one index search. */
const lostStationsSql = `
  WITH RECURSIVE recorded (id) AS (
    SELECT min(station_id) FROM revisions
    UNION ALL
    SELECT (SELECT min(station_id) FROM revisions WHERE station_id > recorded.id)
    FROM recorded WHERE recorded.id IS NOT NULL
  )
  SELECT id FROM recorded WHERE id IS NOT NULL AND id NOT IN (SELECT id FROM stations) LIMIT 1
`;
