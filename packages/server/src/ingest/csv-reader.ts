import { RosterError } from '@roster/contract';
import { findHeaderFaults } from './csv-header.ts';
import { CsvRecord } from './csv-record.ts';
import { type CsvRow, CsvRowReader, placeOfCell } from './csv-row-reader.ts';
import { LineCutter } from './line-cutter.ts';
import { type ReadResult, type RecordReader, unreadable } from './record-reader.ts';
import { isTooLong, tooLong } from './record-size.ts';

const blank = /^[ \t]*$/;

/** Reads CSV with a header. Blank lines count but give no record; below a faulty header nothing is read. */
export class CsvReader implements RecordReader {
  readonly #maxRecordBytes: number;
  readonly #lines: LineCutter;
  readonly #rows = new CsvRowReader();
  #header: readonly string[] | 'faulty' | undefined;
  /** The bytes of a row that goes on in the next line. */
  #openBytes = 0;

  constructor(maxRecordBytes: number) {
    this.#maxRecordBytes = maxRecordBytes;
    this.#lines = new LineCutter(maxRecordBytes);
  }

  *push(text: string): Generator<ReadResult> {
    for (const line of this.#lines.push(text)) {
      const result = this.#readLine(line);
      if (result !== undefined) yield result;
    }
  }

  *end(): Generator<ReadResult> {
    const last = this.#readLine(this.#lines.end());
    if (last !== undefined) yield last;
    if (this.#rows.isOpen) yield* this.#abandon('the quote that begins this cell is never closed');
    if (this.#header === undefined) {
      throw new RosterError('invalid_body', 'the body must be CSV with a header; it has no line at all');
    }
  }

  #readLine(line: string): ReadResult | undefined {
    if (this.#header === 'faulty') return undefined;
    // What is cut off must not depend on how the body arrives.
    const text = line.length > this.#maxRecordBytes ? line.slice(0, this.#maxRecordBytes + 1) : line;
    const row = this.#rows.take(text);
    if (row === undefined) return this.#goOn(text);
    const isLong =
      this.#openBytes === 0
        ? isTooLong(text, this.#maxRecordBytes)
        : this.#openBytes + Buffer.byteLength(text) > this.#maxRecordBytes;
    this.#openBytes = 0;
    return isLong ? this.#refuseLong(row) : this.#readRow(row);
  }

  /** A quote that was forgotten must not swallow all the rest. */
  #goOn(text: string): ReadResult | undefined {
    this.#openBytes += Buffer.byteLength(text) + 1;
    if (this.#openBytes <= this.#maxRecordBytes) return undefined;
    const most = `within ${this.#maxRecordBytes} bytes, the most that a record may have`;
    return this.#abandon(`the quote that begins this cell is not closed ${most}`)[0];
  }

  #abandon(reason: string): ReadResult[] {
    this.#openBytes = 0;
    const result = this.#readRow(this.#rows.abandon(reason));
    return result === undefined ? [] : [result];
  }

  #refuseLong({ line }: CsvRow): ReadResult {
    this.#header ??= 'faulty';
    return tooLong({ line, column: 1 }, this.#maxRecordBytes);
  }

  #readRow(row: CsvRow): ReadResult | undefined {
    const { cells, fault } = row;
    if (cells.length === 1 && row.places === undefined && blank.test(cells[0]!)) return undefined;
    if (this.#header === undefined || this.#header === 'faulty') return this.#readHeader(row);
    if (fault !== undefined) return unreadable(fault, fault.reason);
    if (cells.length === this.#header.length) return new CsvRecord(row, this.#header);
    const surplus = cells.length > this.#header.length ? this.#header.length : 0;
    const reason = `has ${cells.length} cells; the header has ${this.#header.length}`;
    return unreadable(placeOfCell(row, surplus), reason);
  }

  #readHeader(row: CsvRow): ReadResult | undefined {
    const faults = findHeaderFaults(row);
    this.#header = faults.length > 0 ? 'faulty' : row.cells;
    return faults.length > 0 ? { faults } : undefined;
  }
}
