import type { Place } from './place.ts';

/** Counts lines and columns of text that arrives in pieces; offsets are those in the piece at hand. */
export class TextPosition {
  #line: number;
  /** The offset at which the line would begin, which for later pieces lies before their own start. */
  #lineStart: number;

  constructor(start: Place) {
    this.#line = start.line;
    this.#lineStart = 1 - start.column;
  }

  newlineAt(offset: number): void {
    this.#line++;
    this.#lineStart = offset + 1;
  }

  placeOf(offset: number): Place {
    return { line: this.#line, column: offset - this.#lineStart + 1 };
  }

  nextPiece(length: number): void {
    this.#lineStart -= length;
  }
}
