import path from 'node:path';
import type { ExportFormat, Filters, StationClient } from '@roster/client';
import type { Call, Command } from '../../command/command.ts';
import { UsageError } from '../../command/errors.ts';
import { connectionFlags, openStation } from '../../connection/connection.ts';
import { writeFileAtomically } from '../../output/write-file-atomically.ts';
import { formatBytes, formatCount } from '../../terminal/format-numbers.ts';
import { Progress, watched } from '../../terminal/progress.ts';
import { filterFlags, readFilters, readSearchFilters, searchFlags } from './filters.ts';
import { guessFormat } from './record-file.ts';

const exportFormats = ['ndjson', 'csv', 'json'] as const satisfies readonly ExportFormat[];
const standardOutput = [undefined, '-', '/dev/stdout'];
const newline = 10;

export const exportResources: Command = {
  name: 'export',
  usage: '[STATION] [-o FILE] [FLAGS]',
  about:
    'Writes every resource of one snapshot, with all fields, to standard output or a file. roster import ' +
    'reads the result. The file appears only when complete, and replaces an existing one. Links are followed; ' +
    'devices and pipes are written to directly.',
  takes: [0, 1],
  flags: {
    output: { type: 'string', short: 'o', value: 'FILE', about: 'write to this file' },
    format: {
      type: 'string',
      value: 'FORMAT',
      choices: exportFormats,
      about: `${exportFormats.join(', ')} (default: from the file extension, else ndjson)`,
    },
    ...filterFlags,
    ...searchFlags,
    ...connectionFlags,
  },
  examples: [
    ['roster export demo/sample/zone-1/station-1 -o inventory.ndjson', 'the whole station'],
    [
      'roster export --format csv --product product.gpu_cluster | gzip > gpus.csv.gz',
      'one product, compressed',
    ],
  ],
  run: runExport,
};

async function runExport(call: Call): Promise<void> {
  const { given } = call;
  const file = given.text('output');
  if (file !== undefined) refuseFormatName(file);
  const station = await openStation(call, call.given.positionals[0]);
  const filters = { ...readFilters(given), ...readSearchFilters(given) };
  const format = (given.text('format') as ExportFormat | undefined) ?? formatOf(file);
  const exported = await station.manage.export(filters, { format });
  const chunks = await watchChunks(exported.bytes(), format, { call, station, filters });
  if (standardOutput.includes(file)) {
    for await (const chunk of chunks) await call.terminal.print(chunk);
    return;
  }
  await writeFileAtomically(chunks, file!);
  await call.terminal.tell(`${file} has revision ${exported.revision ?? 'unknown'}`);
}

/** Other commands take a format as `-o`. */
function refuseFormatName(file: string): void {
  const name = file.toLowerCase();
  if (name !== 'yaml' && !(exportFormats as readonly string[]).includes(name)) return;
  const advice =
    name === 'yaml'
      ? 'export does not write YAML, but roster list -o yaml does'
      : `for ${name.toUpperCase()} on standard output pass --format ${name}`;
  throw new UsageError(`-o takes a file here; ${advice}`);
}

function formatOf(file = ''): ExportFormat {
  const { format, encoding } = guessFormat(file);
  if (encoding !== undefined)
    throw new UsageError(`${file} would not be compressed; pipe the export through gzip or zstd`);
  if (format === 'yaml') throw new UsageError('export does not write YAML; use json, or roster list -o yaml');
  if (format === undefined && path.extname(file) !== '') {
    throw new UsageError(`cannot tell the format of ${file}; pass --format ${exportFormats.join('|')}`);
  }
  return format ?? 'ndjson';
}

interface Source {
  readonly call: Call;
  readonly station: StationClient;
  readonly filters: Filters;
}

/** Each line is a resource, which gives the progress bar a total. JSON has no lines to count. */
async function watchChunks(
  chunks: AsyncIterable<Uint8Array>,
  format: ExportFormat,
  { call: { terminal }, station, filters }: Source,
): Promise<AsyncIterable<Uint8Array>> {
  if (!terminal.showsProgress) return chunks;
  const title = 'Exporting';
  if (format === 'json') {
    const progress = new Progress(terminal, { title, format: formatBytes, total: () => undefined });
    return watched(chunks, progress, ({ length }) => length);
  }
  const total = await station.count(filters);
  return watched(
    chunks,
    new Progress(terminal, { title, format: formatCount, total: () => total }),
    countLines,
  );
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count++;
  return count;
}
