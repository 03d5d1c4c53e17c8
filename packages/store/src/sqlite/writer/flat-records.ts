import type { ResourcePatch } from '@roster/contract';
import type { StagedRecord } from '@roster/engine/port';
import { noteType, type SeenTypes } from '../../shared/batches.ts';
import { stagedColumns } from '../../shared/resource-columns.ts';

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

/** The records of flat rows, without their labels of types. */
export function unflattenRecords({ count, values: json }: FlatRows): ResourcePatch[] {
  const values: FlatValue[] = JSON.parse(json);
  const text = (at: number) => (values[at] ?? undefined) as string | undefined;
  const number = (at: number) => (values[at] ?? undefined) as number | undefined;
  return Array.from({ length: count }, (_, row) => {
    const at = row * stagedColumns.length + 2;
    const alertable = number(at + 5);
    return {
      resourceId: text(at)!,
      name: text(at + 1),
      displayName: text(at + 2),
      typeKey: text(at + 3),
      product: text(at + 4),
      alertable: alertable === undefined ? undefined : alertable === 1,
      state: text(at + 6),
      sku: text(at + 7),
      gpuModel: text(at + 8),
      alertRulesCount: number(at + 9),
      createTime: text(at + 10),
      stateSinceMs: number(at + 11),
      labels: text(at + 12),
    } as ResourcePatch;
  });
}
