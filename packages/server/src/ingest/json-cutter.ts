import type { Place } from './place.ts';
import type { TextPosition } from './text-position.ts';

const newline = 0x0a;
const quoteMark = 0x22;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Cuts a JSON value, or whatever stands in its place, out of text that arrives in pieces. It ends before the
 * first of the given characters that is in no string and no inner value. Of a value that is longer than the
 * limit it keeps just enough to tell.
 */
export class JsonCutter {
  readonly place: Place;
  text = '';
  readonly #position: TextPosition;
  readonly #maxLength: number;
  readonly #ends: string;
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  constructor(position: TextPosition, start: number, options: { maxLength: number; ends: string }) {
    this.#position = position;
    this.place = position.placeOf(start);
    this.#maxLength = options.maxLength;
    this.#ends = options.ends;
  }

  /** Reads on from `start` and returns where the value ends, or -1 when it goes on in the next piece. */
  take(piece: string, start: number): number {
    let end = -1;
    for (let at = start; at < piece.length && end === -1; at++) {
      const code = piece.charCodeAt(at);
      if (code === newline) this.#position.newlineAt(at);
      if (this.#inString) this.#passInString(code);
      else if (this.#passOutside(code, piece, at)) end = at;
    }
    const missing = this.#maxLength + 1 - this.text.length;
    if (missing > 0) {
      this.text += piece.slice(start, Math.min(end === -1 ? piece.length : end, start + missing));
    }
    return end;
  }

  #passInString(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === backslash) this.#isEscaped = true;
    else if (code === quoteMark) this.#inString = false;
  }

  /** Whether the character ends the value. One that closes what was never opened is left to the reader. */
  #passOutside(code: number, piece: string, at: number): boolean {
    if (code === quoteMark) this.#inString = true;
    else if (this.#depth === 0 && this.#ends.includes(piece[at]!)) return true;
    else if (code === openBrace || code === openBracket) this.#depth++;
    else if (code === closeBrace || code === closeBracket) this.#depth = Math.max(0, this.#depth - 1);
    return false;
  }
}
