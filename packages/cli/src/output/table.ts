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

/** Aligned lines, a header first. Columns that do not fit are narrowed, and at last left out from the right. */
export function renderTable(rows: readonly (readonly Cell[])[], options: TableOptions): string {
  const texts = rows.map((row) => row.map((cell) => visible(cell.text)));
  const wanted = options.headers.map((header, at) => {
    let width = textWidth(header);
    for (const row of texts) width = Math.max(width, textWidth(row[at]!));
    return width;
  });
  const widths = options.maxWidth === undefined ? wanted : fitWidths(wanted, options.maxWidth);
  const header = renderLine(options.headers, widths, { ...options, styles: widths.map(() => 'bold') });
  const lines = texts.map((row, at) => {
    return renderLine(row, widths, { ...options, styles: rows[at]!.map((cell) => cell.style) });
  });
  return `${[header, ...lines].join('\n')}\n`;
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
