import { readJsonRecord } from './json-record.ts';
import { LineCutter } from './line-cutter.ts';
import { isTooLong, type ReadResult, type RecordReader, tooLong } from './record-reader.ts';

const notBlank = /[^ \t\r]/;

/** Reads newline-delimited JSON. Blank lines are no records. */
export class NdjsonReader implements RecordReader {
  readonly #maxRecordBytes: number;
  readonly #lines: LineCutter;
  #line = 0;

  constructor(maxRecordBytes: number) {
    this.#maxRecordBytes = maxRecordBytes;
    this.#lines = new LineCutter(maxRecordBytes);
  }

  push(text: string): Generator<ReadResult> {
    return this.#readAll(this.#lines.push(text));
  }

  end(): Generator<ReadResult> {
    return this.#readAll([this.#lines.end()]);
  }

  *#readAll(lines: readonly string[]): Generator<ReadResult> {
    for (const line of lines) {
      const result = this.#read(line);
      if (result !== undefined) yield result;
    }
  }

  #read(text: string): ReadResult | undefined {
    const line = ++this.#line;
    if (text === '') return undefined;
    if (isTooLong(text, this.#maxRecordBytes)) return tooLong({ line, column: 1 }, this.#maxRecordBytes);
    const start = text.search(notBlank);
    if (start === -1) return undefined;
    return readJsonRecord(start === 0 ? text : text.slice(start), { line, column: start + 1 });
  }
}
