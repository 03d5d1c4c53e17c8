import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { RecordFormat, WriteInput, WriteOptions } from '@roster/client';
import type { Call } from '../../command/command.ts';
import { CommandError, UsageError } from '../../command/errors.ts';
import type { Flags } from '../../command/flags.ts';
import { readRevision } from '../../command/read-revision.ts';
import { formatBytes } from '../../terminal/format-numbers.ts';
import { counted, Progress } from '../../terminal/progress.ts';

const recordFormats = ['ndjson', 'json', 'csv', 'yaml'] as const satisfies readonly RecordFormat[];
const modes = ['merge', 'replace'] as const;

const formats: Readonly<Record<string, RecordFormat>> = {
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
  csv: 'csv',
  yaml: 'yaml',
  yml: 'yaml',
};
const encodings: Readonly<Record<string, string>> = { gz: 'gzip', zst: 'zstd', br: 'br' };

export const recordFileFlags: Flags = {
  format: {
    type: 'string',
    value: 'FORMAT',
    choices: recordFormats,
    about: `${recordFormats.join(', ')} (default: from the file extension)`,
  },
  mode: {
    type: 'string',
    value: 'MODE',
    choices: modes,
    about: 'merge (default) adds and updates; replace also removes what the file lacks',
  },
  'allow-removal': {
    type: 'string',
    value: 'N|all',
    about: 'maximum number of resources a replace may remove',
  },
  'if-revision': {
    type: 'string',
    value: 'REVISION',
    about: 'fail unless the station is at this revision',
  },
};

export interface RecordFile {
  /** Its name in messages. */
  readonly name: string;
  /** The bytes of the file, counted for the progress bar. */
  readonly input: WriteInput;
  readonly options: WriteOptions;
  /** Ends when the server has answered, which takes longer than sending. */
  readonly progress: Progress;
}

/** Opens a file, or standard input for `-`. */
export async function openRecordFile(path: string, call: Call): Promise<RecordFile> {
  const { given } = call;
  const name = path === '-' ? '(stdin)' : path;
  const { format, encoding } = guessFormat(path);
  const chosen = (given.text('format') as RecordFormat | undefined) ?? format;
  if (chosen === undefined) {
    throw new UsageError(`cannot tell the format of ${name}; pass --format ${recordFormats.join('|')}`);
  }
  const ifRevision = await readRevision(given, 'if-revision');
  const size = path === '-' ? undefined : await sizeOf(path);
  const progress = new Progress(call.terminal, { title: 'Sending', format: formatBytes, total: () => size });
  const source: AsyncIterable<Buffer> = path === '-' ? process.stdin : createReadStream(path);
  return {
    name,
    input: counted(source, progress, { amountOf: ({ length }) => length }),
    progress,
    options: {
      format: chosen,
      contentEncoding: encoding,
      mode: given.text('mode') as WriteOptions['mode'],
      allowRemoval: readAllowance(call),
      ifRevision,
    },
  };
}

export function guessFormat(path: string): {
  format: RecordFormat | undefined;
  encoding: string | undefined;
} {
  const extensions = path.toLowerCase().split('.').slice(1);
  const encoding = encodings[extensions.at(-1) ?? ''];
  const format = formats[extensions.at(encoding === undefined ? -1 : -2) ?? ''];
  return { format, encoding };
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) throw new CommandError(`cannot read ${path}: it is a directory`);
    return stats.isFile() ? stats.size : undefined;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const reason =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : (error as Error).message;
    throw new CommandError(`cannot read ${path}: ${reason}`, { cause: error });
  }
}

function readAllowance({ given }: Call): WriteOptions['allowRemoval'] {
  return given.text('allow-removal') === 'all' ? 'all' : given.count('allow-removal', 0, 'all');
}
