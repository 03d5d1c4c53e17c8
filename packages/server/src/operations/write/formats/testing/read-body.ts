import type { RecordError } from '@roster/contract';
import type { RecordReader } from '../record-reader.ts';
import { Utf8Text } from '../utf8-text.ts';

export interface FoundRecord {
  readonly line: number;
  readonly column: number;
  readonly value: unknown;
}

/** All that a reader finds in a body that arrives in chunks of the given sizes, or in one. */
export function readBody(
  reader: RecordReader,
  body: string | Buffer,
  sizes: readonly number[] = [],
): (FoundRecord | RecordError)[] {
  const bytes = Buffer.from(body as string);
  const utf8 = new Utf8Text();
  const texts: string[] = [];
  for (let start = 0, at = 0; start < bytes.length; at++) {
    const end = start + (sizes[at % sizes.length] ?? bytes.length);
    texts.push(utf8.push(bytes.subarray(start, end)));
    start = end;
  }
  texts.push(utf8.end());
  const results = [...texts.flatMap((text) => [...reader.push(text)]), ...reader.end()];
  reader.close?.();
  return results.flatMap((result): readonly (FoundRecord | RecordError)[] => {
    if (result === undefined) return [];
    if ('errors' in result) return result.errors;
    const { line, column, value } = result;
    return [{ line, column, value }];
  });
}

export function readValues(reader: RecordReader, body: string, sizes: readonly number[] = []): unknown[] {
  return readBody(reader, body, sizes).map((found) => ('value' in found ? found.value : found));
}

/** What is wrong with a body, each as `line:column field reason`. */
export function readErrors(reader: RecordReader, body: string | Buffer, sizes?: readonly number[]): string[] {
  return readBody(reader, body, sizes)
    .filter((found): found is RecordError => 'reason' in found)
    .map(({ line, column, field, reason }) =>
      [`${line}:${column}`, field, reason].filter((part) => part !== undefined).join(' '),
    );
}
