import { invalidRecords, quote, type RecordFault } from '@roster/contract';
import type { BatchFaults } from '@roster/engine';

/** A conflict of a staged record, as a store's query finds it. */
export interface FaultRow {
  readonly line: number;
  readonly column_number: number | null;
  readonly kind: 'repeated_id' | 'repeated_name' | 'taken_name';
  readonly value: string;
  readonly first_line: number | null;
  readonly first_column: number | null;
  readonly owner: string | null;
  /** How many there are in all. */
  readonly total: number;
}

export function toBatchFaults(rows: readonly FaultRow[]): BatchFaults {
  return { faults: rows.map(toFault), total: rows[0]?.total ?? 0 };
}

/** Throws `invalid_records` when there are faults. */
export function refuseFaults({ faults, total }: BatchFaults): void {
  if (total > 0) throw invalidRecords(faults, total);
}

function toFault(row: FaultRow): RecordFault {
  const fault = { line: row.line, column: row.column_number ?? undefined };
  const value = quote(row.value);
  switch (row.kind) {
    case 'repeated_id':
      return { ...fault, field: 'resource_id', reason: `${value} is already on ${firstPlace(row)}` };
    case 'repeated_name':
      return { ...fault, field: 'name', reason: `${value} is already the name on ${firstPlace(row)}` };
    case 'taken_name':
      return { ...fault, field: 'name', reason: `${value} belongs to the resource ${quote(row.owner)}` };
  }
}

function firstPlace({ first_line, first_column }: FaultRow): string {
  const isBeginning = first_column === null || first_column === 1;
  return isBeginning ? `line ${first_line}` : `line ${first_line}, column ${first_column}`;
}
