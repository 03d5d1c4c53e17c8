import type { RecordError } from '@roster/client';

export interface FaultGroup {
  /** With the first values that were given. */
  readonly reason: string;
  /** Whether it is the reason of one of them, and those of others differ in more than the value. */
  readonly isExample: boolean;
  readonly field: string | undefined;
  readonly faults: readonly RecordError[];
}

/** Faults with the same cause, most frequent first: the same field, and the same reason but for values. */
export function groupFaults(faults: readonly RecordError[]): FaultGroup[] {
  const groups = Map.groupBy(faults, ({ field, reason }) => `${field ?? ''} ${causeOf(reason)}`);
  return [...groups.values()]
    .map((some) => ({ ...reasonOf(some), field: some[0]!.field, faults: some }))
    .toSorted((a, b) => b.faults.length - a.faults.length);
}

const mostValues = 3;
const withValue = /^(.+?, got )("(?:[^"\\]|\\.)*"|[^\s;]+)$/s;

function reasonOf(faults: readonly RecordError[]): Pick<FaultGroup, 'reason' | 'isExample'> {
  const [first] = faults;
  const parts = faults.map(({ reason }) => withValue.exec(reason) ?? [reason, reason, '']);
  if (parts.some(([, before]) => before !== parts[0]![1])) return { reason: first!.reason, isExample: true };
  const values = [...new Set(parts.map(([, , value]) => value!))];
  const more = values.length > mostValues ? ', …' : '';
  return { reason: `${parts[0]![1]}${values.slice(0, mostValues).join(', ')}${more}`, isExample: false };
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
