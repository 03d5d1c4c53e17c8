import type { DatabaseSync } from 'node:sqlite';
import type { BatchPlan } from '@roster/engine/port';
import { requireRevision } from '../../shared/store-errors.ts';
import { findStationById } from '../database/find-station.ts';
import { mergedColumns, resourceAsJson, type WriteTime, writeTime } from '../database/resource-columns.ts';
import { isSound } from '../database/row-checksums.ts';
import { getRows } from '../database/rows.ts';
import { rollBack } from '../database/run-transaction.ts';
import { unknownTypes } from '../database/type-catalog.ts';
import type { BatchToCommit } from './commit-batch.ts';
import { compareBatch, requireNoFaults, requireNoRepeatedIds } from './compare-batch.ts';

/** A plan as sent between threads. Resources are JSON: see `resourceAsJson`. */
export interface EncodedPlan extends Omit<BatchPlan, 'changes' | 'refusal'> {
  readonly changes: readonly EncodedPlannedChange[];
  readonly stationSize: number;
}

interface EncodedPlannedChange {
  readonly line: number | null;
  readonly before: string | null;
  readonly after: string | null;
}

/** Undefined when the station is gone. Reads one state and locks nothing. */
export function planBatch(
  db: DatabaseSync,
  batch: BatchToCommit,
  maxChanges: number,
): EncodedPlan | undefined {
  db.exec('BEGIN');
  try {
    return plan(db, batch, maxChanges);
  } finally {
    rollBack(db);
  }
}

function plan(db: DatabaseSync, batch: BatchToCommit, maxChanges: number): EncodedPlan | undefined {
  const station = findStationById(db, batch.stationId);
  if (!station) return undefined;
  requireRevision(station.head, batch.options.ifRevision);
  requireNoRepeatedIds(db, batch);
  const time = writeTime();
  const { created, updated, renamed, removed } = compareBatch(db, batch, time);
  requireSound(db);
  // Only a new name can conflict with another resource.
  if (created + renamed > 0) requireNoFaults(db, batch);
  const room = maxChanges - created - updated;
  const changing = maxChanges > 0 ? planChanging(db, batch.table, { ...time, limit: maxChanges }) : [];
  const leaving = room > 0 ? planLeaving(db, room) : [];
  return {
    head: station.head,
    created,
    updated,
    unchanged: batch.count - created - updated,
    removed,
    newTypes: unknownTypes(db, batch.seenTypes),
    changes: [...changing, ...leaving],
    stationSize: station.counts.resources,
  };
}

/** Throws `data_damaged` when a resource to remove is damaged, as a commit would. */
function requireSound(db: DatabaseSync): void {
  db.prepare(
    `SELECT count(*) FROM temp.leaving l CROSS JOIN resources r ON r.id = l.id AND ${isSound('resources', 'r')}`,
  ).get();
}

function planChanging(
  db: DatabaseSync,
  table: string,
  parameters: WriteTime & { limit: number },
): EncodedPlannedChange[] {
  const sql = `
    SELECT s.line, CASE WHEN r.id IS NOT NULL THEN ${resourceAsJson('r')} END AS before,
      json_array(${mergedColumns}) AS after
    FROM temp.changing c
    CROSS JOIN ${table} s ON s.position = c.position
    LEFT JOIN resources r ON r.id = c.id
    ORDER BY c.position
    LIMIT :limit
  `;
  return getRows(db, sql, parameters);
}

function planLeaving(db: DatabaseSync, limit: number): EncodedPlannedChange[] {
  const sql = `
    SELECT NULL AS line, ${resourceAsJson('r')} AS before, NULL AS after
    FROM temp.leaving l CROSS JOIN resources r ON r.id = l.id
    ORDER BY l.position
    LIMIT ?
  `;
  return getRows(db, sql, limit);
}
