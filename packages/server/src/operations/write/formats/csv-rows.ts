import type { Position } from './position.ts';
import { findInvalid, notUtf8 } from './utf8-text.ts';

const blank = /^[ \t]*$/;

/** One row of CSV: its cells, or the first syntax error in it. */
export interface CsvRow {
  /** The line that the row begins in. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly error: CsvError | undefined;
  /** Where each cell begins. Undefined if nothing is quoted: it follows from the lengths of the cells. */
  readonly positions: readonly Position[] | undefined;
}

interface CsvError extends Position {
  readonly reason: string;
}

/** Shared by all empty lines: a body may have millions of them. */
const emptyLine: readonly string[] = [''];

/** Reads rows of RFC 4180, line by line. */
export class CsvRowReader {
  #line = 0;
  #cells: string[] = [];
  #positions: Position[] = [];
  #error: CsvError | undefined;
  /** The text so far of a quoted cell that continues in the next line. */
  #open: string | undefined;

  /** How many lines were read so far. */
  get lineCount(): number {
    return this.#line;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Returns the row that ends in this line, or undefined if a quoted cell continues. */
  take(line: string): CsvRow | undefined {
    this.#line++;
    if (line === '' && this.#open === undefined) {
      return { line: this.#line, cells: emptyLine, error: undefined, positions: undefined };
    }
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (this.#open === undefined && !text.includes('"') && text.isWellFormed()) {
      return { line: this.#line, cells: text.split(','), error: undefined, positions: undefined };
    }
    const invalidAt = findInvalid(text);
    if (invalidAt !== -1) this.#fail(invalidAt, notUtf8);
    this.#scan(text);
    if (this.#open === undefined) return this.#finish();
    this.#open += text.length < line.length ? '\r\n' : '\n';
    return undefined;
  }

  /** Ends a row whose quote was never closed, with an error. */
  abandon(reason: string): CsvRow {
    this.#error ??= { ...this.#positions.at(-1)!, reason };
    return this.#finish();
  }

  #finish(): CsvRow {
    const line = this.#positions[0]!.line;
    const row = { line, cells: this.#cells, error: this.#error, positions: this.#positions };
    this.#cells = [];
    this.#positions = [];
    this.#error = undefined;
    this.#open = undefined;
    return row;
  }

  #scan(text: string): void {
    let at = this.#open === undefined ? 0 : this.#readQuoted(text, 0);
    while (at <= text.length) {
      this.#positions.push({ line: this.#line, column: at + 1 });
      if (text[at] === '"') {
        this.#open = '';
        at = this.#readQuoted(text, at + 1);
      } else at = this.#readPlain(text, at);
    }
  }

  /** Like `#readQuoted`, returns where the next cell begins: after the end of the text if there is none. */
  #readPlain(text: string, start: number): number {
    const end = endOfCell(text, start);
    const cell = text.slice(start, end);
    const quoteAt = cell.indexOf('"');
    if (quoteAt !== -1) {
      this.#fail(
        start + quoteAt,
        'a quote is allowed in a quoted cell only; quote the cell and double the quote',
      );
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
    if (end > start) this.#fail(start, 'only a comma may follow the quote that ends a cell');
    return end + 1;
  }

  #fail(offset: number, reason: string): void {
    this.#error ??= { line: this.#line, column: offset + 1, reason };
  }
}

export function isBlank(cell: string): boolean {
  return blank.test(cell);
}

/** Where a cell begins. Cells are counted from 0. */
export function positionOfCell(row: CsvRow, index: number): Position {
  if (row.positions !== undefined) return row.positions[index]!;
  const before = row.cells.slice(0, index).reduce((length, cell) => length + cell.length + 1, 0);
  return { line: row.line, column: before + 1 };
}

function endOfCell(text: string, start: number): number {
  const comma = text.indexOf(',', start);
  return comma === -1 ? text.length : comma;
}
