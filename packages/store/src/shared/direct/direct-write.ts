import type { ResourceType, Revision, StationAddress } from '@roster/contract';
import type { BatchMode, Head, StagedRecord, StationCounts, WriteResult } from '@roster/engine/port';
import { noteType, seenType } from '../batches.ts';
import { randomRevId } from '../random-identifiers.ts';
import type { StationChanges } from '../station-changes.ts';
import { addTallies, tallyOf } from '../stations.ts';
import { requireRevision, resourceNotFound } from '../store-errors.ts';
import { requireNoConflicts } from './find-conflicts.ts';
import { isSameResource, mergeRecord } from './merge-record.ts';
import type { RowChange, StationRows, StoredRow } from './station-rows.ts';

/** A batch of at most this many records is written directly: more take longer than making them durable. */
export const maxDirectRecords = 1_000;

/** A write of so few records that they are compared and written one by one, without staging. */
export interface DirectWrite {
  readonly address: StationAddress;
  /** If given, the station must not have been created again since it had this epoch. */
  readonly epoch?: string;
  readonly mode: Exclude<BatchMode, 'replace'>;
  readonly ifRevision: Revision | undefined;
  readonly changedBy: string | undefined;
  readonly records: readonly StagedRecord[];
  /** The id of a resource to remove. */
  readonly removed?: string;
}

export interface StationState {
  readonly head: Head;
  readonly counts: StationCounts;
}

/** What a write does to a station. Without changes the station stays as it is. */
export interface PlannedWrite<Row extends StoredRow = StoredRow> extends StationState {
  readonly changes: readonly RowChange<Row>[];
  readonly newTypes: readonly ResourceType[];
  readonly changedBy: string | undefined;
  readonly result: WriteResult;
}

/** Decides what a write does before anything is written. Throws what keeps it from being written. */
export function planWrite<Row extends StoredRow>(
  write: DirectWrite,
  station: StationState,
  rows: StationRows<Row>,
): PlannedWrite<Row> {
  requireRevision(station.head, write.ifRevision);
  const changes = write.removed === undefined ? mergeAll(write, rows) : [removal(write.removed, rows)];
  const created = changes.filter(({ before }) => before === undefined).length;
  const removed = changes.filter(({ after }) => after === undefined).length;
  const updated = changes.length - created - removed;
  const { changedBy } = write;
  const counted = { created, updated, unchanged: write.records.length - created - updated, removed };
  if (changes.length === 0) {
    const result = { head: station.head, ...counted, newTypes: [] };
    return { ...station, changes, newTypes: [], changedBy, result };
  }
  const head = { epoch: station.head.epoch, number: station.head.number + 1, revId: randomRevId() };
  const newTypes = missingTypes(write, rows);
  return {
    head,
    counts: countChanges(station.counts, changes),
    changes,
    newTypes,
    changedBy,
    result: { head, ...counted, newTypes: newTypes.map(({ key }) => key) },
  };
}

function mergeAll<Row extends StoredRow>(
  { records, mode }: DirectWrite,
  rows: StationRows<Row>,
): RowChange<Row>[] {
  const stored = records.map(({ record }) => rows.byId(record.resourceId));
  requireNoConflicts(records, stored, { mode, byName: (name) => rows.byName(name) });
  const nowMs = Date.now();
  const merging = { nowMs, defaultsOf: (typeKey: string) => rows.defaultsOf(typeKey) };
  const changes: RowChange<Row>[] = [];
  for (const [at, { record }] of records.entries()) {
    const before = stored[at];
    const after = mergeRecord(record, before?.resource, merging);
    if (before === undefined || !isSameResource(before.resource, after)) changes.push({ before, after });
  }
  return changes;
}

function removal<Row extends StoredRow>(resourceId: string, rows: StationRows<Row>): RowChange<Row> {
  const before = rows.byId(resourceId);
  if (before === undefined) throw resourceNotFound(resourceId);
  return { before, after: undefined };
}

/** The types of the records that are not in the catalog yet, sorted by key. */
function missingTypes({ records }: DirectWrite, rows: StationRows): ResourceType[] {
  const seen = new Map<string, string | undefined>();
  for (const { record } of records) {
    if (record.typeKey !== undefined) noteType(seen, record.typeKey, record.typeLabel);
  }
  const missing = [...seen.keys()].filter((key) => rows.defaultsOf(key) === undefined).sort();
  return missing.map((key) => seenType(seen, key));
}

function countChanges(counts: StationCounts, changes: readonly RowChange[]): StationCounts {
  const added = changes.flatMap(({ after }) => (after === undefined ? [] : [tallyOf(after)]));
  const ended = changes.flatMap(({ before }) => (before === undefined ? [] : [tallyOf(before.resource)]));
  return addTallies(counts, added, ended);
}

/** What a planned write changes in a station that was at `since`. */
export function changesOf(since: Head, { counts, changes }: PlannedWrite): StationChanges {
  return {
    since,
    size: counts.resources,
    put: changes.flatMap(({ after }) => after ?? []),
    removed: changes.flatMap(({ before, after }) =>
      before !== undefined && after === undefined ? [before.resource.resourceId] : [],
    ),
  };
}
