import { RosterError } from '@roster/contract';
import { type CsvColumns, findHeaderFaults, readColumns } from './csv-header.ts';
import { readCsvRecord } from './csv-record.ts';
import { type CsvRow, CsvRowReader, isBlank } from './csv-row-reader.ts';
import { LineCutter } from './line-cutter.ts';
import { type ReadResult, type RecordReader, unreadable } from './record-reader.ts';
import { isTooLong, tooLong } from './record-size.ts';

/** A return that ends a line by itself, as files of an old Macintosh have them. */
const loneReturn = /\r./s;

/**
 * Reads CSV with a header. Blank lines and rows of blank cells count but give no record; below a faulty header
 * nothing is read.
 */
export class CsvReader implements RecordReader {
  readonly #maxRecordBytes: number;
  readonly #lines: LineCutter;
  readonly #rows = new CsvRowReader();
  #columns: CsvColumns | 'faulty' | undefined;
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
    if (this.#columns === undefined) {
      throw new RosterError('invalid_body', 'the body must be CSV with a header; it has none');
    }
  }

  #readLine(text: string): ReadResult | undefined {
    if (this.#columns === 'faulty') return undefined;
    if (this.#columns === undefined && !this.#rows.isOpen && loneReturn.test(text)) {
      return this.#refuseReturns(text);
    }
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

  #refuseReturns(text: string): ReadResult {
    this.#columns = 'faulty';
    const place = { line: this.#rows.lineCount + 1, column: text.search(loneReturn) + 1 };
    return unreadable(place, 'the lines must end with LF or CRLF, not with CR alone');
  }

  #refuseLong({ line }: CsvRow): ReadResult {
    this.#columns ??= 'faulty';
    return tooLong({ line, column: 1 }, this.#maxRecordBytes);
  }

  #readRow(row: CsvRow): ReadResult | undefined {
    if (row.fault === undefined && row.cells.every(isBlank)) return undefined;
    if (this.#columns === undefined || this.#columns === 'faulty') return this.#readHeader(row);
    return readCsvRecord(row, this.#columns);
  }

  #readHeader(row: CsvRow): ReadResult | undefined {
    const faults = findHeaderFaults(row);
    this.#columns = faults.length > 0 ? 'faulty' : readColumns(row);
    return faults.length > 0 ? { faults } : undefined;
  }
}
