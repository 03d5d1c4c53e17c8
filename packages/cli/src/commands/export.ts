import { randomBytes } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ExportFormat, Filters, StationClient } from '@roster/client';
import type { Call, Command } from '../command.ts';
import { connectionFlags, openStation } from '../connection.ts';
import { CommandError } from '../errors.ts';
import { filterFlags, readFilters } from '../filters.ts';
import { formatBytes, formatCount } from '../output/figures.ts';
import { Progress, watched } from '../output/progress.ts';
import { guessFormat } from '../record-file.ts';

const exportFormats = ['ndjson', 'csv', 'json'] as const satisfies readonly ExportFormat[];
const newline = 10;

export const exportResources: Command = {
  name: 'export',
  usage: '[STATION] [-o FILE] [FLAGS]',
  about:
    'Writes all resources of one snapshot of a station, with every field, to standard output or a file. What comes ' +
    'out can be imported again. A file appears when it is complete, and replaces one of the same name.',
  takes: [0, 1],
  flags: {
    output: { type: 'string', short: 'o', value: 'FILE', about: 'write to this file' },
    format: {
      type: 'string',
      value: 'FORMAT',
      choices: exportFormats,
      about: `${exportFormats.join(', ')}; by the extension of the file, else ndjson`,
    },
    ...filterFlags,
    ...connectionFlags,
  },
  examples: [
    ['roster export demo/sample/zone-1/station-1 -o inventory.ndjson', 'a copy of everything'],
    ['roster export --format csv --product product.gpu | gzip > gpus.csv.gz', 'a part, compressed'],
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
  if (file === undefined || file === '-') {
    for await (const part of parts) await call.terminal.print(part);
    return;
  }
  await writeWhole(parts, file);
  await call.terminal.tell(`${file} has revision ${exported.revision ?? 'unknown'}`);
}

function formatOf(file = ''): ExportFormat {
  const { format, encoding } = guessFormat(file);
  if (encoding !== undefined)
    throw new CommandError(`${file} would not be compressed; pipe the export into gzip or zstd`);
  if (format === 'yaml') throw new CommandError('an export cannot be YAML; use json, or roster list -o yaml');
  return format ?? 'ndjson';
}

/** The file is there completely or, whatever happens, as it was before. */
async function writeWhole(parts: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  const temporary = `${file}.${randomBytes(4).toString('hex')}.part`;
  const discard = () => rmSync(temporary, { force: true });
  process.once('exit', discard);
  try {
    await pipeline(
      Readable.from(parts, { objectMode: false }),
      createWriteStream(temporary, { flush: true }),
    );
    await rename(temporary, file);
  } catch (error) {
    discard();
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
    throw new CommandError(`cannot write ${file}: ${message}`, { cause: error });
  } finally {
    process.off('exit', discard);
  }
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
