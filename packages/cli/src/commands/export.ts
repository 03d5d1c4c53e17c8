import path from 'node:path';
import type { ExportFormat, Filters, StationClient } from '@roster/client';
import type { Call, Command } from '../command.ts';
import { connectionFlags, openStation } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { filterFlags, readFilters } from '../filters.ts';
import { formatBytes, formatCount } from '../output/figures.ts';
import { Progress, watched } from '../output/progress.ts';
import { guessFormat } from '../record-file.ts';
import { writeWhole } from '../write-whole.ts';

const exportFormats = ['ndjson', 'csv', 'json'] as const satisfies readonly ExportFormat[];
const standardOutput = [undefined, '-', '/dev/stdout'];
const newline = 10;

export const exportResources: Command = {
  name: 'export',
  usage: '[STATION] [-o FILE] [FLAGS]',
  about:
    'Writes all resources of one snapshot of a station, with every field, to standard output or a file. What comes ' +
    'out can be imported again. A file appears when it is complete, and replaces one of the same name. A link is ' +
    'followed, and a device or a pipe written into.',
  takes: [0, 1],
  flags: {
    output: { type: 'string', short: 'o', value: 'FILE', about: 'write to this file' },
    format: {
      type: 'string',
      value: 'FORMAT',
      choices: exportFormats,
      about: `${exportFormats.join(', ')}; by the extension of the file, ndjson where it has none`,
    },
    ...filterFlags,
    ...connectionFlags,
  },
  examples: [
    ['roster export demo/sample/zone-1/station-1 -o inventory.ndjson', 'a copy of everything'],
    ['roster export --format csv --product product.gpu_cluster | gzip > gpus.csv.gz', 'a part, compressed'],
  ],
  run: runExport,
};

async function runExport(call: Call): Promise<void> {
  const { given } = call;
  const station = await openStation(call, call.given.positionals[0]);
  const filters = readFilters(given);
  const file = given.text('output');
  const format = (given.text('format') as ExportFormat | undefined) ?? formatOf(file);
  const exported = await station.manage.export(filters, { format });
  const parts = await watchParts(exported.bytes(), format, { call, station, filters });
  if (standardOutput.includes(file)) {
    for await (const part of parts) await call.terminal.print(part);
    return;
  }
  await writeWhole(parts, file!);
  await call.terminal.tell(`${file} has revision ${exported.revision ?? 'unknown'}`);
}

function formatOf(file = ''): ExportFormat {
  const { format, encoding } = guessFormat(file);
  if (encoding !== undefined)
    throw new UsageError(`${file} would not be compressed; pipe the export into gzip or zstd`);
  if (format === 'yaml') throw new UsageError('an export cannot be YAML; use json, or roster list -o yaml');
  if (format === undefined && path.extname(file) !== '') {
    throw new UsageError(`what format is ${file} to have? Give --format ${exportFormats.join('|')}`);
  }
  return format ?? 'ndjson';
}

interface Source {
  readonly call: Call;
  readonly station: StationClient;
  readonly filters: Filters;
}

/** Lines are resources, so that the total tells how long it takes; only JSON has no lines to count. */
async function watchParts(
  parts: AsyncIterable<Uint8Array>,
  format: ExportFormat,
  { call: { terminal }, station, filters }: Source,
): Promise<AsyncIterable<Uint8Array>> {
  if (!terminal.showsProgress) return parts;
  const title = 'Exporting';
  if (format === 'json') {
    const progress = new Progress(terminal, { title, format: formatBytes, total: () => undefined });
    return watched(parts, progress, ({ length }) => length);
  }
  const total = await station.count(filters);
  return watched(
    parts,
    new Progress(terminal, { title, format: formatCount, total: () => total }),
    countLines,
  );
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count++;
  return count;
}
