import type { Place } from './place.ts';
import { findInvalid, notUtf8 } from './utf8-text.ts';

const blank = /^[ \t]*$/;

/** One row of CSV: its cells, or the first thing that is wrong with its text. */
export interface CsvRow {
  /** Of the line that the row begins in. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly fault: CsvFault | undefined;
  /** Where each cell begins; undefined when nothing is quoted, so that the cells themselves tell. */
  readonly places: readonly Place[] | undefined;
}

interface CsvFault extends Place {
  readonly reason: string;
}

/** The one cell of an empty line. A body may have millions of those. */
const emptyLine: readonly string[] = [''];

/** Reads rows of RFC 4180 from lines that come one by one. */
export class CsvRowReader {
  #line = 0;
  #cells: string[] = [];
  #places: Place[] = [];
  #fault: CsvFault | undefined;
  /** What was read so far of a quoted cell that goes on in the next line. */
  #open: string | undefined;

  /** How many lines there were so far. */
  get lineCount(): number {
    return this.#line;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Returns the row that ends in the line, or undefined when a quoted cell goes on. */
  take(line: string): CsvRow | undefined {
    this.#line++;
    if (line === '' && this.#open === undefined) return this.#emptyRow();
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (this.#open === undefined && !text.includes('"') && text.isWellFormed()) {
      return { line: this.#line, cells: text.split(','), fault: undefined, places: undefined };
    }
    const invalidAt = findInvalid(text);
    if (invalidAt !== -1) this.#blame(invalidAt, notUtf8);
    this.#scan(text);
    if (this.#open === undefined) return this.#finish();
    this.#open += text.length < line.length ? '\r\n' : '\n';
    return undefined;
  }

  #emptyRow(): CsvRow {
    return { line: this.#line, cells: emptyLine, fault: undefined, places: undefined };
  }

  /** Ends the row at hand although a quote is open, which is what is wrong with it. */
  abandon(reason: string): CsvRow {
    this.#fault ??= { ...this.#places.at(-1)!, reason };
    return this.#finish();
  }

  #finish(): CsvRow {
    const line = this.#places[0]!.line;
    const row = { line, cells: this.#cells, fault: this.#fault, places: this.#places };
    this.#cells = [];
    this.#places = [];
    this.#fault = undefined;
    this.#open = undefined;
    return row;
  }

  #scan(text: string): void {
    let at = this.#open === undefined ? 0 : this.#readQuoted(text, 0);
    while (at <= text.length) {
      this.#places.push({ line: this.#line, column: at + 1 });
      if (text[at] === '"') {
        this.#open = '';
        at = this.#readQuoted(text, at + 1);
      } else at = this.#readPlain(text, at);
    }
  }

  /** Both readers return where the next cell begins, which is behind the end of the text when there is none. */
  #readPlain(text: string, start: number): number {
    const end = endOfCell(text, start);
    const cell = text.slice(start, end);
    const quoteAt = cell.indexOf('"');
    if (quoteAt !== -1) {
      this.#blame(start + quoteAt, 'a quote may stand in a quoted cell only; quote the cell and double it');
    }
    this.#cells.push(cell);
    return end + 1;
  }

  #readQuoted(text: string, start: number): number {
    for (let at = start; ; ) {
      const quoteAt = text.indexOf('"', at);
      if (quoteAt === -1) {
        this.#open += text.slice(at);
        return text.length + 1;
      }
      this.#open += text.slice(at, quoteAt);
      if (text[quoteAt + 1] !== '"') return this.#closeQuoted(text, quoteAt + 1);
      this.#open += '"';
      at = quoteAt + 2;
    }
  }

  #closeQuoted(text: string, start: number): number {
    this.#cells.push(this.#open!);
    this.#open = undefined;
    const end = endOfCell(text, start);
    if (end > start) this.#blame(start, 'nothing but a comma may stand behind the quote that ends a cell');
    return end + 1;
  }

  #blame(offset: number, reason: string): void {
    this.#fault ??= { line: this.#line, column: offset + 1, reason };
  }
}

export function isBlank(cell: string): boolean {
  return blank.test(cell);
}

/** Where a cell begins, counted from 0. */
export function placeOfCell(row: CsvRow, index: number): Place {
  if (row.places !== undefined) return row.places[index]!;
  const before = row.cells.slice(0, index).reduce((length, cell) => length + cell.length + 1, 0);
  return { line: row.line, column: before + 1 };
}

function endOfCell(text: string, start: number): number {
  const comma = text.indexOf(',', start);
  return comma === -1 ? text.length : comma;
}
