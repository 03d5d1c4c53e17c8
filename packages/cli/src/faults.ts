import { isInvalidRecords, type RecordFault } from '@roster/client';
import { CommandError } from './errors.ts';
import { plural } from './output/figures.ts';
import { visible } from './output/visible.ts';
import type { RecordFile } from './record-file.ts';
import type { Terminal } from './terminal.ts';

/** Sends a file, and tells of every fault that the server lists where it stands in it. */
export async function explainFaults<T>(
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
    for (const fault of faults) await terminal.tell(renderFault(name, fault));
    const more = count > faults.length ? `; the first ${faults.length} are shown` : '';
    const found = stoppedAt === undefined ? plural(count, 'fault') : `at least ${plural(count, 'fault')}`;
    throw new CommandError(`nothing was written: ${found} in ${name}${more}`, {
      cause: error,
    });
  } finally {
    progress.end();
  }
}

function renderFault(file: string, { line, column, field, reason }: RecordFault): string {
  const place = column === undefined ? `${file}:${line}` : `${file}:${line}:${column}`;
  return visible(`${place} ${field === undefined ? '' : `${field}: `}${reason}`);
}
