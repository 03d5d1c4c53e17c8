import type { DatabaseSync } from 'node:sqlite';
import type { StationAddress } from '@roster/contract';
import { resourceNotFound } from '../../shared/store-errors.ts';
import { requireStation } from '../database/find-station.ts';
import { resourceAsJson } from '../database/resource-columns.ts';
import { isSound } from '../database/row-checksums.ts';
import { getRow } from '../database/rows.ts';

/** Runs in the caller's transaction. */
export function readResource(db: DatabaseSync, address: StationAddress, resourceId: string) {
  const station = requireStation(db, address);
  const found = getRow<{ revision: number; changedAtMs: number; changedBy: string | null; resource: string }>(
    db,
    `SELECT resources.revision, committed_ms AS changedAtMs, changed_by AS changedBy,
       ${resourceAsJson('resources')} AS resource
     FROM resources
     LEFT JOIN revisions USING (station_id, revision)
     WHERE station_id = ? AND resource_id = ? AND ${isSound('resources')} AND ${isSound('revisions')}`,
    station.id,
    resourceId,
  );
  if (!found) throw resourceNotFound(resourceId);
  return { epoch: station.head.epoch, ...found };
}
