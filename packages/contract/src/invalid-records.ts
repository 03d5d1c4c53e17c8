import { RosterError } from './errors.ts';
import type { RecordFault } from './parse-record.ts';

/** The refusal of a batch: the faults of the lowest lines, and how many there are in all. */
export function invalidRecords(faults: readonly RecordFault[], total: number): RosterError {
  const noun = total === 1 ? 'fault' : 'faults';
  const shown = faults.length < total ? `, the first ${faults.length} are listed` : '';
  return new RosterError('invalid_records', `nothing was written: ${total} ${noun} in the records${shown}`, {
    extensions: { fault_count: total, faults },
  });
}
