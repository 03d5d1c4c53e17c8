import { quote, RosterError, restoreCell } from '@roster/contract';
import { type CsvColumns, findHeaderErrors, labelColumn, labelsPrefix, readColumns } from './csv-header.ts';
import { type CsvRow, CsvRowReader, isBlank, positionOfCell } from './csv-rows.ts';
import { LineCutter } from './line-cutter.ts';
import { isTooLong, type ReadResult, type RecordReader, tooLong, unreadable } from './record-reader.ts';

/** A carriage return that ends a line by itself, as on the classic Mac OS. */
const loneReturn = /\r./s;

/** Reads CSV with a header. Blank rows are no records, and nothing is read after an invalid header. */
export class CsvReader implements RecordReader {
  readonly #maxRecordBytes: number;
  readonly #lines: LineCutter;
  readonly #rows = new CsvRowReader();
  #columns: CsvColumns | 'invalid' | undefined;
  /** The bytes so far of a row that continues in the next line. */
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
    if (this.#columns === 'invalid') return undefined;
    if (this.#columns === undefined && !this.#rows.isOpen && loneReturn.test(text)) {
      return this.#refuseReturns(text);
    }
    const row = this.#rows.take(text);
    if (row === undefined) return this.#continueRow(text);
    const isLong =
      this.#openBytes === 0
        ? isTooLong(text, this.#maxRecordBytes)
        : this.#openBytes + Buffer.byteLength(text) > this.#maxRecordBytes;
    this.#openBytes = 0;
    return isLong ? this.#refuseLong(row) : this.#readRow(row);
  }

  /** A missing quote must not swallow the rest of the body. */
  #continueRow(text: string): ReadResult | undefined {
    this.#openBytes += Buffer.byteLength(text) + 1;
    if (this.#openBytes <= this.#maxRecordBytes) return undefined;
    const most = `within ${this.#maxRecordBytes} bytes, the limit for a record`;
    return this.#abandon(`the quote that begins this cell is not closed ${most}`)[0];
  }

  #abandon(reason: string): ReadResult[] {
    this.#openBytes = 0;
    const result = this.#readRow(this.#rows.abandon(reason));
    return result === undefined ? [] : [result];
  }

  #refuseReturns(text: string): ReadResult {
    this.#columns = 'invalid';
    const position = { line: this.#rows.lineCount + 1, column: text.search(loneReturn) + 1 };
    return unreadable(position, 'the lines must end with LF or CRLF, not with CR alone');
  }

  #refuseLong({ line }: CsvRow): ReadResult {
    this.#columns ??= 'invalid';
    return tooLong({ line, column: 1 }, this.#maxRecordBytes);
  }

  #readRow(row: CsvRow): ReadResult | undefined {
    if (row.error === undefined && row.cells.every(isBlank)) return undefined;
    if (this.#columns === undefined || this.#columns === 'invalid') return this.#readHeader(row);
    return readCsvRecord(row, this.#columns);
  }

  #readHeader(row: CsvRow): ReadResult | undefined {
    const errors = findHeaderErrors(row);
    this.#columns = errors.length > 0 ? 'invalid' : readColumns(row);
    return errors.length > 0 ? { errors } : undefined;
  }
}

/** In these fields, an empty cell is an empty text. In others, the field is absent. */
const emptyFields = new Set([
  'product',
  'sku',
  'gpu_model',
  'labels',
  'resource_type',
  'resource_id',
  'name',
]);

/** Cells in columns without a name must be blank. */
function readCsvRecord(row: CsvRow, { names, count }: CsvColumns): ReadResult {
  const { cells, error } = row;
  if (error !== undefined) return unreadable(error, error.reason);
  if (cells.length < names.length) {
    return unreadable(positionOfCell(row, 0), `has ${cells.length} cells; the header has ${names.length}`);
  }
  // Even if the extra cells are blank: an unquoted comma may have shifted the others.
  if (cells.length > count) {
    return unreadable(positionOfCell(row, count), `has ${cells.length} cells; the header has ${count}`);
  }
  const filled = cells.findLastIndex((cell) => !isBlank(cell));
  if (filled >= names.length) {
    const reason = `this cell has ${quote(cells[filled])}, but its column has no name`;
    return unreadable(positionOfCell(row, filled), reason);
  }
  const positionOf = (field: string) => {
    const exact = names.indexOf(field);
    const index = exact === -1 ? names.findIndex((name) => name.startsWith(`${field}.`)) : exact;
    return index === -1 ? undefined : positionOfCell(row, index);
  };
  return { line: row.line, column: 1, value: toRecord(cells, names), positionOf };
}

function toRecord(cells: readonly string[], names: readonly string[]): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  let label = '';
  for (let at = 0; at < names.length; at++) {
    const name = names[at]!;
    const cell = restoreCell(cells[at]!);
    if (name === labelColumn) label = cell;
    else if (name.startsWith(labelsPrefix)) addLabel(record, name.slice(labelsPrefix.length), cell);
    else if (cell !== '' || emptyFields.has(name))
      record[name] = name === 'alertable' ? toBoolean(cell) : cell;
  }
  if (label !== '') record.resource_type = { key: record.resource_type, label };
  return record;
}

/** Labels come in one cell, or in a column for each key. */
function addLabel(record: Record<string, unknown>, key: string, value: string): void {
  if (typeof record.labels !== 'object') record.labels = {};
  if (value !== '') Object.defineProperty(record.labels, key, { value, enumerable: true });
}

/** Spreadsheets write TRUE and FALSE. Validation refuses anything else. */
function toBoolean(cell: string): unknown {
  const word = cell.toLowerCase();
  return word === 'true' || word === 'false' ? word === 'true' : cell;
}
