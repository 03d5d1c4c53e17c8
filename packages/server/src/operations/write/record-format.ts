import { quote, RosterError } from '@roster/contract';
import { CsvReader } from './formats/csv-reader.ts';
import { JsonReader } from './formats/json-reader.ts';
import { NdjsonReader } from './formats/ndjson-reader.ts';
import type { RecordReader } from './formats/record-reader.ts';

export type RecordFormat = 'ndjson' | 'json' | 'csv' | 'yaml';

const maxRecordBytes = 64 * 1024;

const formats: Readonly<Record<string, RecordFormat>> = {
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/json': 'json',
  'text/csv': 'csv',
  'application/csv': 'csv',
  'application/yaml': 'yaml',
  'application/x-yaml': 'yaml',
  'text/yaml': 'yaml',
};

const readers = { ndjson: NdjsonReader, json: JsonReader, csv: CsvReader };

/** `sender` has a share of the memory for YAML. */
export async function createReader(format: RecordFormat, sender?: string): Promise<RecordReader> {
  if (format !== 'yaml') return new readers[format](maxRecordBytes);
  // Loaded on first use: most servers never read YAML, and start sooner without it.
  const { YamlReader } = await import('./formats/yaml-reader.ts');
  return new YamlReader(maxRecordBytes, sender);
}

/** The formats of patches: a table would have to say of every empty cell what it means. */
const patchFormats: ReadonlySet<string> = new Set<RecordFormat>(['ndjson', 'json']);

/** The format that a `Content-Type` announces. */
export function recordFormat(contentType: string | undefined, { isPatch = false } = {}): RecordFormat {
  const [mediaType = '', ...parameters] = (contentType ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const known = Object.keys(formats).filter((type) => !isPatch || patchFormats.has(formats[type]!));
  if (!known.includes(mediaType)) {
    throw unsupported(`Content-Type must be one of ${known.join(', ')}, got ${quote(contentType ?? 'none')}`);
  }
  for (const parameter of parameters) {
    const charset = /^charset=["']?([^"']*)["']?$/.exec(parameter)?.[1];
    if (charset !== undefined && !/^(?:utf-?8|us-ascii)$/.test(charset)) {
      throw unsupported(`the charset of Content-Type must be utf-8, got ${quote(charset)}`);
    }
  }
  return formats[mediaType]!;
}

function unsupported(message: string): RosterError {
  return new RosterError('unsupported_media_type', message, { parameter: 'Content-Type' });
}
