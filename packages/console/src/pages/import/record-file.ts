import type { RecordFormat, WriteOptions } from '@roster/client';

const formats: Readonly<Record<string, RecordFormat>> = {
  csv: 'csv',
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  yaml: 'yaml',
  yml: 'yaml',
};
const encodings: Readonly<Record<string, string>> = { gz: 'gzip', br: 'br', zst: 'zstd' };

export type FileFormat = Pick<WriteOptions, 'format' | 'contentEncoding'>;

/** Format and compression from the file name; undefined if unknown. */
export function readFileFormat(fileName: string): FileFormat | undefined {
  const parts = fileName.toLowerCase().split('.').slice(1);
  const contentEncoding = encodings[parts.at(-1) ?? ''];
  const format = formats[parts.at(contentEncoding === undefined ? -1 : -2) ?? ''];
  if (format === undefined) return undefined;
  return contentEncoding === undefined ? { format } : { format, contentEncoding };
}

/** For the file dialog. */
export const acceptedFiles = [...Object.keys(formats), ...Object.keys(encodings)]
  .map((each) => `.${each}`)
  .join(',');
