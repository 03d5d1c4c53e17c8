import type { DatabaseSync } from 'node:sqlite';
import type { Head } from '@roster/engine';
import { requireRevision } from '../shared/require-revision.ts';
import type { BatchToCommit } from './commit-batch.ts';
import { type BatchDifference, compareBatch } from './compare-batch.ts';
import { requireNoFaults, requireNoRepeatedIds } from './find-batch-faults.ts';
import { findStationById } from './find-station.ts';
import { defaultParameters, mergedColumns } from './resource-columns.ts';
import { resourceAsJson } from './resources-as-json.ts';
import { rollBack } from './run-transaction.ts';
import { readCounts } from './station-counts.ts';
import { unknownTypes } from './type-catalog.ts';

/** A plan on its way between threads. Resources are JSON: see `resourceAsJson`. */
export interface EncodedPlan {
  readonly head: Head;
  readonly difference: BatchDifference;
  readonly unchanged: number;
  readonly newTypes: readonly string[];
  readonly stationSize: number;
  readonly changes: readonly EncodedPlannedChange[];
}

interface EncodedPlannedChange {
  readonly line: number | null;
  readonly before: string | null;
  readonly after: string | null;
}

/** Undefined when the station is gone. Reads one state of the station and locks nothing. */
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
  const difference = compareBatch(db, batch);
  // Only a name that is new to its resource can be in the way of another one.
  if (difference.created + difference.renamed > 0) requireNoFaults(db, batch);
  const changed = difference.created + difference.updated;
  return {
    head: station.head,
    difference,
    unchanged: batch.count - changed,
    newTypes: unknownTypes(db, batch.seenTypes),
    stationSize: readCounts(db, station.id).resources,
    changes: firstChanges(db, batch, { maxChanges, changed }),
  };
}

function firstChanges(
  db: DatabaseSync,
  batch: BatchToCommit,
  { maxChanges, changed }: { maxChanges: number; changed: number },
): EncodedPlannedChange[] {
  const changing = maxChanges > 0 ? planChanging(db, batch.table, maxChanges) : [];
  const room = maxChanges - changed;
  return room > 0 ? [...changing, ...planLeaving(db, room)] : changing;
}

function planChanging(db: DatabaseSync, table: string, limit: number): EncodedPlannedChange[] {
  const sql = `
    SELECT s.line, CASE WHEN r.id IS NOT NULL THEN ${resourceAsJson('r')} END AS before,
      json_array(${mergedColumns}) AS after
    FROM temp.changing c
    CROSS JOIN ${table} s ON s.position = c.position
    LEFT JOIN resources r ON r.id = c.id
    ORDER BY c.position
    LIMIT :limit
  `;
  return db.prepare(sql).all({ ...defaultParameters(), limit }) as unknown as EncodedPlannedChange[];
}

function planLeaving(db: DatabaseSync, limit: number): EncodedPlannedChange[] {
  const sql = `
    SELECT NULL AS line, ${resourceAsJson('r')} AS before, NULL AS after
    FROM temp.leaving l CROSS JOIN resources r ON r.id = l.id
    ORDER BY l.place
    LIMIT ?
  `;
  return db.prepare(sql).all(limit) as unknown as EncodedPlannedChange[];
}
