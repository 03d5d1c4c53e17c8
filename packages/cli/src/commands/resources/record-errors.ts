import { isInvalidRecords, type RecordError } from '@roster/client';
import { CommandError } from '../../command/errors.ts';
import { escapeUnprintable } from '../../terminal/escape-unprintable.ts';
import { plural } from '../../terminal/format-numbers.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { RecordFile } from './record-file.ts';

/** Sends a file, and reports every record error that the server lists with its line. */
export async function reportRecordErrors<T>(
  { name, progress }: RecordFile,
  terminal: Terminal,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    progress.end();
    if (!isInvalidRecords(error)) throw error;
    const { faults, fault_count: count, stopped_at_line: stoppedAt } = error.extensions;
    for (const error of faults) await terminal.tell(renderRecordError(name, error));
    const more = count > faults.length ? `; the first ${faults.length} are shown` : '';
    const found = stoppedAt === undefined ? plural(count, 'error') : `at least ${plural(count, 'error')}`;
    throw new CommandError(`nothing was written: ${found} in ${name}${more}`, {
      cause: error,
    });
  } finally {
    progress.end();
  }
}

function renderRecordError(file: string, { line, column, field, reason }: RecordError): string {
  const position = column === undefined ? `${file}:${line}` : `${file}:${line}:${column}`;
  return escapeUnprintable(`${position} ${field === undefined ? '' : `${field}: `}${reason}`);
}
