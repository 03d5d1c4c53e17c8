import { RosterError } from '../errors.ts';
import type { RecordError } from '../record/parse-record.ts';

/** The refusal of a batch: the first errors by line, and the number of all errors up to where reading stopped. */
export function invalidRecords(
  errors: readonly RecordError[],
  total: number,
  stoppedAtLine?: number,
): RosterError {
  const isWhole = stoppedAtLine === undefined;
  const count = `${isWhole ? '' : 'at least '}${total} ${total === 1 ? 'error' : 'errors'}`;
  const shown = errors.length < total ? `, the first ${errors.length} are listed` : '';
  const stopped = isWhole ? '' : `; reading stopped at line ${stoppedAtLine}`;
  return new RosterError(
    'invalid_records',
    `nothing was written: ${count} in the records${shown}${stopped}`,
    {
      extensions: {
        fault_count: total,
        ...(isWhole ? {} : { stopped_at_line: stoppedAtLine }),
        faults: errors,
      },
    },
  );
}
