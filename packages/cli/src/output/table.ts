import { escapeUnprintable } from '../terminal/escape-unprintable.ts';
import type { Paint, Style } from '../terminal/paint.ts';
import { textWidth, truncate } from '../terminal/text-width.ts';

export interface Cell {
  readonly text: string;
  readonly style?: Style | undefined;
}

export interface TableOptions {
  readonly headers: readonly string[];
  /** Which columns are right-aligned, as numbers are. */
  readonly isRight: readonly boolean[];
  /** Characters per line; unlimited unless given. */
  readonly maxWidth?: number | undefined;
  readonly paint: Paint;
}

const gap = '  ';
const narrowestColumn = 8;
/** The first column identifies the row, so it is narrowed least. */
const narrowestFirst = 30;

/** Aligned lines under a header. */
export function renderTable(rows: readonly (readonly Cell[])[], options: TableOptions): string {
  const layout = new TableLayout(rows, options);
  return layout.header() + rows.map((row) => layout.line(row)).join('');
}

/** Column widths. Columns that do not fit are narrowed, then dropped from the right. */
export class TableLayout {
  readonly #options: TableOptions;
  #wanted: readonly number[];
  #widths: readonly number[] = [];

  constructor(rows: readonly (readonly Cell[])[], options: TableOptions) {
    this.#options = options;
    this.#wanted = options.headers.map(textWidth);
    this.makeRoom(rows);
  }

  /** Columns only grow, which keeps later rows aligned with earlier ones as far as possible. */
  makeRoom(rows: readonly (readonly Cell[])[]): void {
    const { maxWidth } = this.#options;
    this.#wanted = this.#wanted.map((known, at) => {
      let width = known;
      for (const row of rows) width = Math.max(width, textWidth(escapeUnprintable(row[at]!.text)));
      return width;
    });
    this.#widths = maxWidth === undefined ? this.#wanted : fitWidths(this.#wanted, maxWidth);
  }

  header(): string {
    return this.#render(this.#options.headers.map((text) => ({ text, style: 'bold' })));
  }

  line(row: readonly Cell[]): string {
    return this.#render(row);
  }

  #render(row: readonly Cell[]): string {
    const texts = row.map((cell) => escapeUnprintable(cell.text));
    const styles = row.map((cell) => cell.style);
    return `${renderLine(texts, this.#widths, { ...this.#options, styles })}\n`;
  }
}

/** Narrows the widest columns first, then drops columns from the right. */
export function fitWidths(wanted: readonly number[], maxWidth: number): number[] {
  const room = maxWidth - gap.length * (wanted.length - 1);
  const floors = wanted.map((width, at) => Math.min(width, at === 0 ? narrowestFirst : narrowestColumn));
  const widthsAt = (level: number) =>
    wanted.map((width, at) => Math.max(floors[at]!, Math.min(width, level)));
  if (sum(floors) > room) {
    return wanted.length === 1 ? [Math.min(wanted[0]!, room)] : fitWidths(wanted.slice(0, -1), maxWidth);
  }
  let level = Math.max(...wanted);
  while (sum(widthsAt(level)) > room) level--;
  return widthsAt(level);
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}

interface LineOptions extends TableOptions {
  readonly styles: readonly (Style | undefined)[];
}

function renderLine(texts: readonly string[], widths: readonly number[], options: LineOptions): string {
  const cells = widths.map((width, at) => {
    const text = truncate(texts[at]!, width);
    const fill = ' '.repeat(width - textWidth(text));
    const painted = text === '' ? '' : options.paint(options.styles[at], text);
    if (options.isRight[at]) return fill + painted;
    return at === widths.length - 1 ? painted : painted + fill;
  });
  return cells.join(gap).trimEnd();
}
