import { limits } from '@roster/contract';
import type { BatchMode, StagedRecord } from '@roster/engine/port';
import { type FaultRow, refuseRecordErrors, toBatchFaults } from '../record-errors.ts';
import type { StoredRow } from './station-rows.ts';

interface Station {
  readonly mode: BatchMode;
  byName(name: string): StoredRow | undefined;
}

/** Throws `invalid_records` with everything that keeps the records from being written, as `recordFaultsSql` finds it. */
export function requireNoConflicts(
  records: readonly StagedRecord[],
  stored: readonly (StoredRow | undefined)[],
  { mode, byName }: Station,
): void {
  const firstById = new Map<string, StagedRecord>();
  const firstByName = new Map<string, StagedRecord>();
  for (const staged of records) {
    const { resourceId, name } = staged.record;
    if (!firstById.has(resourceId)) firstById.set(resourceId, staged);
    if (name !== undefined && !firstByName.has(name)) firstByName.set(name, staged);
  }
  const faults: FoundFault[] = [];
  for (const [at, staged] of records.entries()) {
    const { resourceId, name } = staged.record;
    const first = firstById.get(resourceId)!;
    if (first !== staged) faults.push({ staged, kind: 'repeated_id', value: resourceId, first });
    if (name !== undefined) {
      const namesake = firstByName.get(name)!;
      if (namesake.record.resourceId !== resourceId) {
        faults.push({ staged, kind: 'repeated_name', value: name, first: namesake });
      }
      const owner = stored[at]?.resource.name === name ? undefined : byName(name)?.resource.resourceId;
      // A patch may name the owner without renaming it.
      if (owner !== undefined && firstById.get(owner)?.record.name === undefined) {
        faults.push({ staged, kind: 'taken_name', value: name, owner });
      }
    }
    if (mode === 'patch' && stored[at] === undefined) {
      faults.push({ staged, kind: 'unknown_id', value: resourceId });
    }
  }
  if (faults.length > 0) refuse(faults);
}

interface FoundFault {
  readonly staged: StagedRecord;
  readonly kind: FaultRow['kind'];
  readonly value: string;
  readonly first?: StagedRecord;
  readonly owner?: string;
}

function refuse(faults: readonly FoundFault[]): void {
  const rows = faults.map(({ staged, kind, value, first, owner }): FaultRow => {
    return {
      line: staged.line,
      column_number: staged.column ?? null,
      kind,
      value,
      first_line: first?.line ?? null,
      first_column: first?.column ?? null,
      owner: owner ?? null,
      total: faults.length,
    };
  });
  // Sorting is stable: records on the same line stay in their order.
  const inOrder = rows.sort((a, b) => a.line - b.line);
  refuseRecordErrors(toBatchFaults(inOrder.slice(0, limits.maxReportedErrors)));
}
