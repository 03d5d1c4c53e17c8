import type { RecordSplitter, RecordText } from './record-splitter.ts';

const newline = 0x0a;
const byteOrderMark = Buffer.from('\ufeff');

/** Cuts newline-delimited JSON into lines. Blank lines count but give no record. */
export class NdjsonSplitter implements RecordSplitter {
  readonly #maxRecordBytes: number;
  #rest: Buffer = Buffer.alloc(0);
  #line = 1;
  #isSkipping = false;

  constructor(maxRecordBytes: number) {
    this.#maxRecordBytes = maxRecordBytes;
  }

  *push(chunk: Buffer): Generator<RecordText> {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      yield* this.#record(bytes.subarray(start, end));
      this.#isSkipping = false;
      this.#line++;
      start = end + 1;
    }
    this.#rest = bytes.subarray(start);
    if (this.#rest.length > this.#maxRecordBytes) {
      yield* this.#record(this.#rest);
      this.#isSkipping = true;
    }
    if (this.#isSkipping) this.#rest = Buffer.alloc(0);
  }

  *end(): Generator<RecordText> {
    yield* this.#record(this.#rest);
  }

  *#record(line: Buffer): Generator<RecordText> {
    if (this.#isSkipping) return;
    const bytes = this.#line === 1 ? withoutByteOrderMark(line) : line;
    if (bytes.length > this.#maxRecordBytes) yield { line: this.#line, bytes: undefined };
    else if (!isBlank(bytes)) yield { line: this.#line, bytes };
  }
}

function withoutByteOrderMark(line: Buffer): Buffer {
  return line.subarray(0, 3).equals(byteOrderMark) ? line.subarray(3) : line;
}

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) return false;
  return true;
}
