import type { Paint, Style } from './paint.ts';
import { textWidth, truncate } from './text-width.ts';
import { visible } from './visible.ts';

export interface Cell {
  readonly text: string;
  readonly style?: Style | undefined;
}

export interface TableOptions {
  readonly headers: readonly string[];
  /** Which columns are numbers, and stand on the right. */
  readonly isRight: readonly boolean[];
  /** As many columns as a line may take; any number unless given. */
  readonly maxWidth?: number | undefined;
  readonly paint: Paint;
}

const gap = '  ';
const narrowestColumn = 8;
/** The first column says which row it is, so it stays readable longest. */
const narrowestFirst = 30;

/** Aligned lines, a header first. */
export function renderTable(rows: readonly (readonly Cell[])[], options: TableOptions): string {
  const layout = new TableLayout(rows, options);
  return layout.header() + rows.map((row) => layout.line(row)).join('');
}

/** How wide the columns are. Those that do not fit are narrowed, and at last left out from the right. */
export class TableLayout {
  readonly #options: TableOptions;
  #wanted: readonly number[];
  #widths: readonly number[] = [];

  constructor(rows: readonly (readonly Cell[])[], options: TableOptions) {
    this.#options = options;
    this.#wanted = options.headers.map(textWidth);
    this.makeRoom(rows);
  }

  /** Columns only ever grow, so that what comes later stands below what came before as far as it can. */
  makeRoom(rows: readonly (readonly Cell[])[]): void {
    const { maxWidth } = this.#options;
    this.#wanted = this.#wanted.map((known, at) => {
      let width = known;
      for (const row of rows) width = Math.max(width, textWidth(visible(row[at]!.text)));
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
    const texts = row.map((cell) => visible(cell.text));
    const styles = row.map((cell) => cell.style);
    return `${renderLine(texts, this.#widths, { ...this.#options, styles })}\n`;
  }
}

/** Takes from the widest columns first, then whole columns from the right. */
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
