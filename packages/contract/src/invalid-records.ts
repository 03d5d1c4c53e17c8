import { RosterError } from './errors.ts';
import type { RecordFault } from './parse-record.ts';

/**
 * The refusal of a batch: the faults of the lowest lines, and how many there are in all, or up to the line
 * where reading stopped.
 */
export function invalidRecords(
  faults: readonly RecordFault[],
  total: number,
  stoppedAtLine?: number,
): RosterError {
  const isWhole = stoppedAtLine === undefined;
  const count = `${isWhole ? '' : 'at least '}${total} ${total === 1 ? 'fault' : 'faults'}`;
  const shown = faults.length < total ? `, the first ${faults.length} are listed` : '';
  const stopped = isWhole ? '' : `; reading stopped at line ${stoppedAtLine}`;
  return new RosterError(
    'invalid_records',
    `nothing was written: ${count} in the records${shown}${stopped}`,
    {
      extensions: { fault_count: total, ...(isWhole ? {} : { stopped_at_line: stoppedAtLine }), faults },
    },
  );
}
