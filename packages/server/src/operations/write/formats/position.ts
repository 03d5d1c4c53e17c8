/** A position in a body. Lines and columns count from 1, columns in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The position of `offset` in a text whose first character is at `start`. */
export function positionAt(text: string, start: Position, offset: number): Position {
  let { line } = start;
  let lineStart = -1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++;
    lineStart = at;
  }
  return { line, column: lineStart === -1 ? start.column + offset : offset - lineStart };
}

export function describePosition({ line, column }: Position): string {
  return `line ${line}, column ${column}`;
}

/** Counts lines and columns of text that arrives in pieces. Offsets are relative to the current piece. */
export class PositionCounter {
  #line: number;
  /** The offset at which the line begins: negative if it began in an earlier piece. */
  #lineStart: number;

  constructor(start: Position) {
    this.#line = start.line;
    this.#lineStart = 1 - start.column;
  }

  newlineAt(offset: number): void {
    this.#line++;
    this.#lineStart = offset + 1;
  }

  positionOf(offset: number): Position {
    return { line: this.#line, column: offset - this.#lineStart + 1 };
  }

  nextPiece(length: number): void {
    this.#lineStart -= length;
  }
}
