/** Where something stands in a body. Lines and columns count from 1, columns in UTF-16 code units. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The place of an offset in a text whose first character stands at `start`. */
export function placeAt(text: string, start: Place, offset: number): Place {
  let { line } = start;
  let lineStart = -1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++;
    lineStart = at;
  }
  return { line, column: lineStart === -1 ? start.column + offset : offset - lineStart };
}

/** As a message names it. */
export function describePlace({ line, column }: Place): string {
  return `line ${line}, column ${column}`;
}
