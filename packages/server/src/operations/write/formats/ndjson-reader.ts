import { readJsonRecord } from './json-record.ts';
import { LineCutter } from './line-cutter.ts';
import { isTooLong, type ReadResult, type RecordReader, tooLong } from './record-reader.ts';

const notBlank = /[^ \t\r]/;

/** Reads newline-delimited JSON. Blank lines count as lines but give no record. */
export class NdjsonReader implements RecordReader {
  readonly #maxRecordBytes: number;
  readonly #lines: LineCutter;
  #line = 0;

  constructor(maxRecordBytes: number) {
    this.#maxRecordBytes = maxRecordBytes;
    this.#lines = new LineCutter(maxRecordBytes);
  }

  *push(text: string): Generator<ReadResult> {
    for (const line of this.#lines.push(text)) {
      if (line === '') this.#line++;
      else {
        const result = this.#read(line);
        if (result !== undefined) yield result;
      }
    }
  }

  *end(): Generator<ReadResult> {
    const result = this.#read(this.#lines.end());
    if (result !== undefined) yield result;
  }

  #read(text: string): ReadResult | undefined {
    const line = ++this.#line;
    if (isTooLong(text, this.#maxRecordBytes)) return tooLong({ line, column: 1 }, this.#maxRecordBytes);
    const start = text.search(notBlank);
    if (start === -1) return undefined;
    return readJsonRecord(start === 0 ? text : text.slice(start), { line, column: start + 1 });
  }
}
