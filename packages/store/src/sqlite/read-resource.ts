import type { DatabaseSync } from 'node:sqlite';
import type { StationAddress } from '@roster/contract';
import { resourceNotFound } from '../shared/store-errors.ts';
import { requireStation } from './find-station.ts';
import { resourceAsJson } from './resources-as-json.ts';

export interface ResourceRequest {
  readonly address: StationAddress;
  readonly resourceId: string;
}

/** A stored resource on its way between threads. */
export interface EncodedResource {
  readonly epoch: string;
  readonly revision: number;
  readonly changedAtMs: number;
  readonly resource: string;
}

/** The caller has begun a transaction on `db`. */
export function readResource(db: DatabaseSync, { address, resourceId }: ResourceRequest): EncodedResource {
  const station = requireStation(db, address);
  const row = db
    .prepare(
      `SELECT resources.revision, committed_ms AS changedAtMs, ${resourceAsJson('resources')} AS resource
       FROM resources
       JOIN revisions USING (station_id, revision)
       WHERE station_id = ? AND resource_id = ?`,
    )
    .get(station.id, resourceId);
  if (!row) throw resourceNotFound(resourceId);
  return { epoch: station.head.epoch, ...(row as unknown as Omit<EncodedResource, 'epoch'>) };
}
