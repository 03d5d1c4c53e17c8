const needsQuotes = /[",\r\n]|^\s|\s$/;
const executable = /^'*[=+\-@\t\r＝＋－＠]/;

/** One line of CSV, in which no spreadsheet takes a cell for a formula; the same rule as that of the export. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const cell = executable.test(text) ? `'${text}` : text;
  return needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
