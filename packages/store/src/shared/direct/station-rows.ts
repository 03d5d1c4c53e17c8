import type { Resource } from '@roster/contract';
import type { TypeDefaults } from './merge-record.ts';

/** A stored version of a resource. */
export interface StoredRow {
  readonly id: number;
  readonly revision: number;
  readonly resource: Resource;
}

/** Created without `before`, removed without `after`. */
export interface RowChange<Row extends StoredRow = StoredRow> {
  readonly before: Row | undefined;
  readonly after: Resource | undefined;
}

/** The rows that a write meets; a damaged one throws `data_damaged`. */
export interface StationRows<Row extends StoredRow = StoredRow> {
  byId(resourceId: string): Row | undefined;
  byName(name: string): Row | undefined;
  defaultsOf(typeKey: string): TypeDefaults | undefined;
}
