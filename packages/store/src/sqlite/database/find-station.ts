import type { DatabaseSync } from 'node:sqlite';
import { type StationAddress, stationNotFound } from '@roster/contract';
import type { Station } from '@roster/engine/port';
import {
  addressColumns,
  addressValues,
  type StationRow,
  type StoredAddress,
  type StoredStation,
  stationColumns,
  toAddress,
  toStation,
} from '../../shared/stations.ts';
import { isSound, rowChecksum } from './row-checksums.ts';
import { getRow, getRows, hasRow } from './rows.ts';

const isAt = addressColumns.map((column) => `${column} = ?`).join(' AND ');

/** Throws `data_damaged` for a damaged station, like all functions here. */
export function findStation(db: DatabaseSync, address: StationAddress): StationRow | undefined {
  return stationFinder(db)(address);
}

/** To find many stations. */
export function stationFinder(db: DatabaseSync): (address: StationAddress) => StationRow | undefined {
  const find = db.prepare(`SELECT ${stationColumns} FROM stations WHERE ${isAt} AND ${isSound('stations')}`);
  return (address) => {
    const row = find.get(...addressValues(address)) as StoredStation | undefined;
    return row && toStation(row);
  };
}

/** Finds a station, damaged or not. */
export function locateStation(
  db: DatabaseSync,
  address: StationAddress,
): { readonly id: number; readonly isDamaged: boolean } | undefined {
  const sql = `SELECT id, checksum <> ${rowChecksum('stations')} AS damaged FROM stations WHERE ${isAt}`;
  const row = getRow<{ id: number; damaged: number }>(db, sql, ...addressValues(address));
  return row && { id: row.id, isDamaged: row.damaged === 1 };
}

export function requireStation(db: DatabaseSync, address: StationAddress): StationRow {
  const station = findStation(db, address);
  if (!station) throw stationNotFound(address);
  return station;
}

export function findStationById(db: DatabaseSync, id: number): StationRow | undefined {
  const sql = `SELECT ${stationColumns} FROM stations WHERE id = ? AND ${isSound('stations')}`;
  const row = getRow<StoredStation>(db, sql, id);
  return row && toStation(row);
}

/** The stations whose own row is undamaged. */
export function loadStations(db: DatabaseSync): Station[] {
  const rows = getRows<StoredStation & StoredAddress>(
    db,
    `SELECT ${stationColumns}, ${addressColumns.join(', ')} FROM stations
     WHERE checksum = ${rowChecksum('stations')}`,
  );
  return rows.map((row) => {
    const { head, counts } = toStation(row);
    return { address: toAddress(row), head, counts };
  });
}

/** Whether some stations cannot be loaded: their row is damaged, missing or not in its index. */
export function hasDamagedStations(db: DatabaseSync): boolean {
  const damaged = `SELECT 1 FROM stations WHERE checksum <> ${rowChecksum('stations')} LIMIT 1`;
  return [damaged, lostStationsSql, unfoundStationsSql].some((sql) => hasRow(db, sql));
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
