import type { DatabaseSync } from 'node:sqlite';
import type { StationAddress } from '@roster/contract';
import { resourceNotFound } from '../../shared/store-errors.ts';
import { requireStation } from '../database/find-station.ts';
import { resourceAsJson } from '../database/resource-columns.ts';
import { isSound } from '../database/row-checksums.ts';

export interface ResourceRequest {
  readonly address: StationAddress;
  readonly resourceId: string;
}

/** A stored resource as sent between threads. */
export interface EncodedResource {
  readonly epoch: string;
  readonly revision: number;
  readonly changedAtMs: number;
  readonly resource: string;
}

/** Runs in the caller's transaction. */
export function readResource(db: DatabaseSync, { address, resourceId }: ResourceRequest): EncodedResource {
  const station = requireStation(db, address);
  const row = db
    .prepare(
      `SELECT resources.revision, committed_ms AS changedAtMs, ${resourceAsJson('resources')} AS resource
       FROM resources
       LEFT JOIN revisions USING (station_id, revision)
       WHERE station_id = ? AND resource_id = ? AND ${isSound('resources')} AND ${isSound('revisions')}`,
    )
    .get(station.id, resourceId);
  if (!row) throw resourceNotFound(resourceId);
  return { epoch: station.head.epoch, ...(row as unknown as Omit<EncodedResource, 'epoch'>) };
}
