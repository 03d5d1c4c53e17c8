import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type {
  Plan,
  RecordFormat,
  StationClient,
  WriteInput,
  WriteOptions,
  WriteResult,
} from '@roster/client';
import type { Call } from '../../command/command.ts';
import { CommandError, fileReason, UsageError } from '../../command/errors.ts';
import type { Flags } from '../../command/flags.ts';
import { readRevision } from '../../command/read-revision.ts';
import { formatBytes } from '../../terminal/format-numbers.ts';
import { counted, Progress } from '../../terminal/progress.ts';

const recordFormats = ['ndjson', 'json', 'csv', 'yaml'] as const satisfies readonly RecordFormat[];
export const patchFormats = ['ndjson', 'json'] as const satisfies readonly RecordFormat[];
const modes = ['merge', 'replace', 'patch'] as const;

const formats: Readonly<Record<string, RecordFormat>> = {
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
  csv: 'csv',
  yaml: 'yaml',
  yml: 'yaml',
};
/** By file extension. */
export const encodings: Readonly<Record<string, string>> = { gz: 'gzip', zst: 'zstd', br: 'br' };

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
    about:
      'merge (default) adds and updates; replace also removes what the file lacks; patch only updates, by resource_id, from ndjson or json',
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
  /** The file has patches of existing resources. */
  readonly isPatch: boolean;
  /** Ends when the server has answered, which takes longer than sending. */
  readonly progress: Progress;
}

/** Opens a file, or standard input for `-`. */
export async function openRecordFile(path: string, call: Call): Promise<RecordFile> {
  const { given } = call;
  const name = path === '-' ? '(stdin)' : path;
  const size = path === '-' ? undefined : await sizeOf(path);
  const { format, encoding } = guessFormat(path);
  const chosen = (given.text('format') as RecordFormat | undefined) ?? format;
  const mode = given.text('mode') as (typeof modes)[number] | undefined;
  if (chosen === undefined) {
    const known = mode === 'patch' ? patchFormats : recordFormats;
    throw new UsageError(`cannot tell the format of ${name}; pass --format ${known.join('|')}`);
  }
  const ifRevision = await readRevision(given, 'if-revision');
  const progress = new Progress(call.terminal, { title: 'Sending', format: formatBytes, total: () => size });
  const allowRemoval = readAllowance(call);
  if (allowRemoval !== undefined && mode !== 'replace') {
    throw new UsageError('--allow-removal needs --mode replace');
  }
  const source: AsyncIterable<Buffer> = path === '-' ? process.stdin : createReadStream(path);
  return {
    name,
    isPatch: mode === 'patch',
    input: counted(source, progress, { amountOf: ({ length }) => length }),
    progress,
    options: {
      format: chosen,
      contentEncoding: encoding,
      mode: mode === 'patch' ? undefined : mode,
      allowRemoval,
      ifRevision,
    },
  };
}

type Manage = Pick<StationClient['manage'], 'write' | 'patch'>;

/** Writes the records of a file, or plans to. */
export async function sendRecords(
  manage: Manage,
  { input, options, isPatch }: RecordFile,
  planning: Pick<WriteOptions, 'dryRun' | 'maxChanges'>,
): Promise<WriteResult | Plan> {
  if (!isPatch) return manage.write(input, { ...options, ...planning });
  const { format, mode: _mode, allowRemoval: _allowance, ...rest } = options;
  if (format !== 'ndjson' && format !== 'json') {
    throw new UsageError(`a patch must be ndjson or json, not ${format}`);
  }
  return manage.patch(input, { ...rest, format, ...planning });
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
    throw new CommandError(`cannot read ${path}: ${fileReason(error)}`, { cause: error });
  }
}

function readAllowance({ given }: Call): WriteOptions['allowRemoval'] {
  return given.text('allow-removal') === 'all' ? 'all' : given.count('allow-removal', 0, 'all');
}
