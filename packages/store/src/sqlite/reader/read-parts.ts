import type { DatabaseSync } from 'node:sqlite';
import type { StationAddress } from '@roster/contract';
import { type Head, type StationPart, sizeOfPart } from '@roster/engine/port';
import { partConditions } from '../../shared/station-parts.ts';
import { stationFinder } from '../database/find-station.ts';
import { resourceAsJson } from '../database/resource-columns.ts';
import { isSound } from '../database/row-checksums.ts';

/** A part as sent between threads: one long text transfers faster than many rows. */
export interface EncodedPart {
  readonly address: StationAddress;
  readonly head: Head;
  readonly size: number;
  /** JSON. */
  readonly rows: string;
}

/** Runs in the caller's transaction. */
export function readParts(
  db: DatabaseSync,
  addresses: readonly StationAddress[],
  part: StationPart,
): EncodedPart[] {
  const select = db.prepare(
    `SELECT json_group_array(json(${resourceAsJson('resources')})) AS rows
     FROM resources ${indexes[part]} WHERE station_id = ? AND ${partConditions[part]} AND ${isSound('resources')}`,
  );
  const findStation = stationFinder(db);
  return addresses.flatMap((address) => {
    const station = findStation(address);
    if (station === undefined) return [];
    const { rows } = select.get(station.id) as { rows: string };
    return [{ address, head: station.head, size: sizeOfPart(part, station.counts), rows }];
  });
}

const indexes: Readonly<Record<StationPart, string>> = {
  alerting: 'INDEXED BY resources_alerting',
  uncovered: 'INDEXED BY resources_uncovered',
  all: '',
};
