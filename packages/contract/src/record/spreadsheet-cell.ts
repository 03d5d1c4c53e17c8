const executable = /^'*[=+\-@\t\r＝＋－＠]/;
const neutralised = /^'+[=+\-@\t\r＝＋－＠]/;

/** Prevents CSV injection: no spreadsheet treats the result as a formula. `restoreCell` undoes it. */
export function neutraliseCell(cell: string): string {
  return executable.test(cell) ? `'${cell}` : cell;
}

/** What a cell was before `neutraliseCell`. */
export function restoreCell(cell: string): string {
  return neutralised.test(cell) ? cell.slice(1) : cell;
}
