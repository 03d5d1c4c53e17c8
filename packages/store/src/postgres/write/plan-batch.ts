import { removalRefusal } from '@roster/contract';
import type { BatchPlan, PlannedChange } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import type { BatchToCommit } from '../../shared/batches.ts';
import { resourceColumnsOf, toResource } from '../../shared/resource-columns.ts';
import { requireRevision } from '../../shared/store-errors.ts';
import { averageStation, findStationById } from '../schema/find-station.ts';
import { mergedColumns, now, resourceColumnCount, toOptionalResource } from '../schema/resource-columns.ts';
import { isSound } from '../schema/row-checksums.ts';
import { unknownTypes } from '../schema/type-catalog.ts';
import { compareBatch, requireNoFaults, requireNoRepeatedIds } from './compare-batch.ts';
import { preferLookups } from './staging-table.ts';

/**
 * Undefined when the station is gone. Runs in the caller's transaction, which sees one state and writes only
 * temporary tables.
 */
export async function planBatch(
  client: ClientBase,
  batch: BatchToCommit,
  maxChanges: number,
): Promise<BatchPlan | undefined> {
  const station = await findStationById(client, batch.stationId);
  if (!station) return undefined;
  requireRevision(station.head, batch.options.ifRevision);
  if (!batch.replaces) await preferLookups(client, batch.count);
  await requireNoRepeatedIds(client, batch);
  const { created, updated, renamed, removed } = await compareBatch(client, batch, station.counts.resources);
  await requireSound(client, batch.stationId);
  // Only a new name can conflict with another resource.
  if (created + renamed > 0) await requireNoFaults(client, batch);
  const room = maxChanges - created - updated;
  const changing = maxChanges > 0 ? await planChanging(client, batch, maxChanges) : [];
  const leaving = room > 0 ? await planLeaving(client, batch, room) : [];
  return {
    head: station.head,
    created,
    updated,
    unchanged: batch.count - created - updated,
    removed,
    newTypes: await unknownTypes(client, batch.seenTypes),
    changes: [...changing, ...leaving],
    refusal: removalRefusal(removed, station.counts.resources, batch.options.allowRemoval ?? 'half'),
  };
}

/** Fails when a resource to change or remove is damaged, as a commit would. */
async function requireSound(client: ClientBase, stationId: number): Promise<void> {
  await client.query(
    `SELECT count(*) FROM resources r
     WHERE r.station_id = ${averageStation('$1')} AND r.resource_id IN (
       SELECT s.resource_id FROM changing c JOIN staged s ON s.position = c.position WHERE c.updates
       UNION ALL SELECT resource_id FROM leaving
     ) AND ${isSound('resources', 'r')}`,
    [stationId],
  );
}

async function planChanging(
  client: ClientBase,
  { stationId }: BatchToCommit,
  limit: number,
): Promise<PlannedChange[]> {
  const text = `
    SELECT s.line, ${mergedColumns}, ${resourceColumnsOf('r')}
    FROM changing c
    JOIN staged s ON s.position = c.position
    LEFT JOIN resources r ON r.station_id = ${averageStation('$2')} AND r.resource_id = s.resource_id
    ORDER BY c.position
    LIMIT $3
  `;
  const values = [now(), stationId, limit];
  const { rows } = await client.query<unknown[]>({ text, values, rowMode: 'array' });
  return rows.map((row) => ({
    line: row[0] as number,
    before: toOptionalResource(row, 1 + resourceColumnCount),
    after: toResource(row, 1),
  }));
}

async function planLeaving(
  client: ClientBase,
  { stationId }: BatchToCommit,
  limit: number,
): Promise<PlannedChange[]> {
  const text = `
    SELECT ${resourceColumnsOf('r')}
    FROM leaving l JOIN resources r ON r.station_id = ${averageStation('$1')} AND r.resource_id = l.resource_id
    ORDER BY l.resource_id
    LIMIT $2
  `;
  const { rows } = await client.query<unknown[]>({ text, values: [stationId, limit], rowMode: 'array' });
  return rows.map((row) => ({ line: undefined, before: toResource(row), after: undefined }));
}
