import type { RecordError } from '@roster/client';

export interface FaultGroup {
  /** The reason of the first of them. */
  readonly reason: string;
  readonly field: string | undefined;
  readonly faults: readonly RecordError[];
}

/** Faults with the same cause, most frequent first: the same field, and the same reason but for values. */
export function groupFaults(faults: readonly RecordError[]): FaultGroup[] {
  const groups = Map.groupBy(faults, ({ field, reason }) => `${field ?? ''} ${causeOf(reason)}`);
  return [...groups.values()]
    .map((some) => ({ reason: some[0]!.reason, field: some[0]!.field, faults: some }))
    .toSorted((a, b) => b.faults.length - a.faults.length);
}

/** What is quoted or counted differs from record to record. */
function causeOf(reason: string): string {
  return reason.replace(/"(?:[^"\\]|\\.)*"/g, '…').replace(/\d+/g, '#');
}

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** All faults as CSV. A formula stays text. */
export function faultsAsCsv(faults: readonly RecordError[]): string {
  const lines = faults.map(({ line, column, field = '', reason }) =>
    [line, column ?? '', cell(field), cell(reason.replace(/^[=+\-@]/, "'$&"))].join(','),
  );
  return ['line,column,field,reason', ...lines].map((line) => `${line}\r\n`).join('');
}
