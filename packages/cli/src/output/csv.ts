import { neutraliseCell } from '@roster/contract/spreadsheet-cell';

const needsQuotes = /[",\r\n]|^\s|\s$/;

/** One line of CSV, protected against CSV injection. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const cell = neutraliseCell(text);
  return needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
