import { escapeUnprintable } from '../terminal/escape-unprintable.ts';
import type { Paint, Style } from '../terminal/paint.ts';
import { textWidth, truncate, truncateMiddle } from '../terminal/text-width.ts';

export interface Cell {
  readonly text: string;
  readonly style?: Style | undefined;
}

export interface TableOptions {
  readonly headers: readonly string[];
  /** Which columns are right-aligned, as numbers are. */
  readonly isRight: readonly boolean[];
  /** Which columns are left out before others are narrowed. */
  readonly isSpare?: readonly boolean[];
  /** Which columns are cut in the middle. */
  readonly isPath?: readonly boolean[];
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

/** Column widths. If not all columns fit, spare ones go first; others are narrowed, then dropped from the right. */
export class TableLayout {
  readonly #options: TableOptions;
  #wanted: readonly number[];
  /** Which columns are shown; fixed once the header is printed. */
  #shown: readonly number[] = [];
  #widths: readonly number[] = [];
  #hasHeader = false;

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
    if (!this.#hasHeader) this.#shown = withoutSpares(this.#wanted, this.#options);
    const wanted = this.#shown.map((at) => this.#wanted[at]!);
    this.#widths = maxWidth === undefined ? wanted : fitWidths(wanted, maxWidth);
  }

  header(): string {
    this.#hasHeader = true;
    return this.#render(this.#options.headers.map((text) => ({ text, style: 'bold' })));
  }

  line(row: readonly Cell[]): string {
    return this.#render(row);
  }

  #render(row: readonly Cell[]): string {
    const texts = this.#shown.map((at) => escapeUnprintable(row[at]!.text));
    const styles = this.#shown.map((at) => row[at]!.style);
    const isRight = this.#shown.map((at) => this.#options.isRight[at] === true);
    const isPath = this.#shown.map((at) => this.#options.isPath?.[at] === true);
    return `${renderLine(texts, this.#widths, { isRight, isPath, paint: this.#options.paint, styles })}\n`;
  }
}

/** The columns that are shown: without as many spare ones, from the right, as it takes for the others to fit. */
function withoutSpares(wanted: readonly number[], { isSpare, maxWidth }: TableOptions): number[] {
  let shown = [...wanted.keys()];
  const width = () => sum(shown.map((at) => wanted[at]!)) + gap.length * (shown.length - 1);
  while (maxWidth !== undefined && width() > maxWidth) {
    const spare = shown.findLast((at) => isSpare?.[at]);
    if (spare === undefined) break;
    shown = shown.filter((at) => at !== spare);
  }
  return shown;
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

interface LineOptions extends Pick<TableOptions, 'isRight' | 'isPath' | 'paint'> {
  readonly styles: readonly (Style | undefined)[];
}

function renderLine(texts: readonly string[], widths: readonly number[], options: LineOptions): string {
  const cells = widths.map((width, at) => {
    const text = options.isPath?.[at] ? truncateMiddle(texts[at]!, width) : truncate(texts[at]!, width);
    const fill = ' '.repeat(width - textWidth(text));
    const painted = text === '' ? '' : options.paint(options.styles[at], text);
    if (options.isRight[at]) return fill + painted;
    return at === widths.length - 1 ? painted : painted + fill;
  });
  return cells.join(gap).trimEnd();
}
