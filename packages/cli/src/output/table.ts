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
const narrowestColumn = 6;

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

/** Takes from the widest columns first. */
export function fitWidths(wanted: readonly number[], maxWidth: number): number[] {
  const room = maxWidth - gap.length * (wanted.length - 1);
  const sumAt = (level: number) => wanted.reduce((sum, width) => sum + Math.min(width, level), 0);
  let level = Math.max(...wanted);
  while (level > narrowestColumn && sumAt(level) > room) level--;
  if (sumAt(level) > room && wanted.length > 1) return fitWidths(wanted.slice(0, -1), maxWidth);
  const widths = wanted.map((width) => Math.min(width, level));
  // What is left over after the last step goes to the first column that can use it.
  const spare = room - sumAt(level);
  const first = widths.findIndex((width, at) => width < wanted[at]!);
  if (first >= 0 && spare > 0) widths[first] = Math.min(wanted[first]!, widths[first]! + spare);
  return widths;
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
