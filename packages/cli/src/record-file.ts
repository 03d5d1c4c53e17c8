import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { RecordFormat, WriteInput, WriteOptions } from '@roster/client';
import type { Call, Flags } from './command.ts';
import { CommandError, UsageError } from './errors.ts';
import { formatBytes } from './output/figures.ts';
import { counted, Progress } from './output/progress.ts';
import { readRevision } from './read-revision.ts';

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
    about: `${recordFormats.join(', ')}; by the extension of the file unless given`,
  },
  mode: {
    type: 'string',
    value: 'MODE',
    choices: modes,
    about: 'merge adds and updates; replace also removes what the file does not have; merge unless given',
  },
  'allow-removal': { type: 'string', value: 'N|all', about: 'how many resources a replace may remove' },
  'if-revision': {
    type: 'string',
    value: 'REVISION',
    about: 'only if the station is still at this revision',
  },
};

export interface RecordFile {
  /** As messages name it. */
  readonly name: string;
  /** Sent as it is, compressed or not, while a bar shows how far it got. */
  readonly input: WriteInput;
  readonly options: WriteOptions;
  /** Goes on until the server has answered, which takes longer than sending. */
  readonly progress: Progress;
}

/** Opens the file that an argument names, `-` for standard input. */
export async function openRecordFile(path: string, call: Call): Promise<RecordFile> {
  const { given } = call;
  const name = path === '-' ? '(stdin)' : path;
  const { format, encoding } = guessFormat(path);
  const chosen = (given.text('format') as RecordFormat | undefined) ?? format;
  if (chosen === undefined) {
    throw new UsageError(`what format has ${name}? Give --format ${recordFormats.join('|')}`);
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
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : (error as Error).message;
    throw new CommandError(`cannot read ${path}: ${reason}`, { cause: error });
  }
}

function readAllowance({ given }: Call): WriteOptions['allowRemoval'] {
  return given.text('allow-removal') === 'all' ? 'all' : given.count('allow-removal', 0, 'all');
}
