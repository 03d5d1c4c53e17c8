const executable = /^'*[=+\-@\t\r＝＋－＠]/;
const neutralised = /^'+[=+\-@\t\r＝＋－＠]/;

/** A cell that no spreadsheet takes for a formula. `restoreCell` gives back what it was. */
export function neutraliseCell(cell: string): string {
  return executable.test(cell) ? `'${cell}` : cell;
}

/** What a cell was before `neutraliseCell`. */
export function restoreCell(cell: string): string {
  return neutralised.test(cell) ? cell.slice(1) : cell;
}
