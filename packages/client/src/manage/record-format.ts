import { quote } from '../check-argument.ts';
import { invalidArgument } from '../errors.ts';

/** Formats of records. */
export type RecordFormat = 'ndjson' | 'json' | 'csv' | 'yaml';

export const mediaTypes: Readonly<Record<RecordFormat, string>> = {
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  csv: 'text/csv',
  yaml: 'application/yaml',
};

export const recordFormats = Object.keys(mediaTypes) as RecordFormat[];

export function checkFormat<Format extends string>(given: Format, allowed: readonly Format[]): Format {
  if (allowed.includes(given)) return given;
  throw invalidArgument(`format must be one of ${allowed.join(', ')}, got ${quote(given)}`);
}
