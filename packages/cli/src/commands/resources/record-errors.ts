import { HttpError, isInvalidRecords, type RecordError, type RecordFormat } from '@roster/client';
import { CommandError } from '../../command/errors.ts';
import { escapeUnprintable } from '../../terminal/escape-unprintable.ts';
import { plural } from '../../terminal/format-numbers.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { encodings, patchFormats, type RecordFile } from './record-file.ts';

/** Sends a file, and reports every record error that the server lists with its line. */
export async function reportRecordErrors<T>(
  { name, progress, options }: RecordFile,
  terminal: Terminal,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    progress.end();
    if (isInvalidBody(error)) {
      throw new CommandError(`nothing was written: ${ofFile(name, error.detail)}`, { cause: error });
    }
    if (!isInvalidRecords(error)) throw error;
    const { faults, fault_count: count, stopped_at_line: stoppedAt } = error.extensions;
    for (const error of faults) await terminal.tell(renderRecordError(name, error));
    const more = count > faults.length ? `; the first ${faults.length} are shown` : '';
    const found = stoppedAt === undefined ? plural(count, 'error') : `at least ${plural(count, 'error')}`;
    const advice = lookLikePatches(faults) ? `; ${patchAdvice(options.format)}` : '';
    throw new CommandError(`nothing was written: ${found} in ${name}${more}${advice}`, {
      cause: error,
    });
  } finally {
    progress.end();
  }
}

function isInvalidBody(error: unknown): error is HttpError {
  return error instanceof HttpError && error.detail.startsWith('the body ');
}

/** What is wrong with a body, as said of the file. */
function ofFile(name: string, detail: string): string {
  return detail
    .replace('the body', escapeUnprintable(name))
    .replace(
      /send it with Content-Encoding: (\w+)/,
      (_, encoding) =>
        `add .${Object.keys(encodings).find((each) => encodings[each] === encoding)} to its name`,
    );
}

/** Whether the first faulty record has an id, but neither a name nor a type, as the change of a state may. */
function lookLikePatches(faults: readonly RecordError[]): boolean {
  const missing = faults.filter(
    ({ line, reason }) => line === faults[0]?.line && reason.startsWith('is required'),
  );
  const isMissing = (name: string) => missing.some(({ field }) => field === name);
  return isMissing('name') && isMissing('resource_type') && !isMissing('resource_id');
}

function patchAdvice(format: RecordFormat | undefined): string {
  const isPatchFormat = patchFormats.some((each) => each === format);
  const condition = isPatchFormat ? '' : `, which takes ${patchFormats.join(' or ')}`;
  return `to change existing resources by resource_id alone, use --mode patch${condition}`;
}

function renderRecordError(file: string, { line, column, field, reason }: RecordError): string {
  const position = column === undefined ? `${file}:${line}` : `${file}:${line}:${column}`;
  return escapeUnprintable(`${position} ${field === undefined ? '' : `${field}: `}${reason}`);
}
