import type { StagedRecord } from '@roster/engine/port';
import { noteType, type SeenTypes } from '../../shared/batches.ts';

export type FlatValue = string | number | null;

/**
 * `values` is the JSON of one flat array with `stagedColumns` for each record: two thirds of the cost of
 * cloning the array between threads, and far less than cloning an object per record.
 */
export interface FlatRows {
  readonly count: number;
  readonly values: string;
}

/** Staged records as sent between threads. */
export interface FlatRecords extends FlatRows {
  /** Their types, each with the first label given for it. */
  readonly seenTypes: SeenTypes;
}

export function flattenRecords(records: readonly StagedRecord[]): FlatRecords {
  const values: FlatValue[] = [];
  const seenTypes = new Map<string, string | undefined>();
  for (const { line, column, record } of records) {
    values.push(
      line,
      column ?? null,
      record.resourceId,
      record.name ?? null,
      record.displayName ?? null,
      record.typeKey ?? null,
      record.product ?? null,
      record.alertable === undefined ? null : Number(record.alertable),
      record.state ?? null,
      record.sku ?? null,
      record.gpuModel ?? null,
      record.alertRulesCount ?? null,
      record.createTime ?? null,
      record.stateSinceMs ?? null,
      record.labels ?? null,
    );
    if (record.typeKey !== undefined) noteType(seenTypes, record.typeKey, record.typeLabel);
  }
  return { count: records.length, values: JSON.stringify(values), seenTypes };
}
