import { RosterError } from '@roster/contract';
import type { RecordSplitter, RecordText } from './record-splitter.ts';

const byteOrderMark = Buffer.from('\ufeff');
const quoteMark = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Cuts a JSON array at the commas between its elements. Whether an element is JSON is for its reader to
 * find out. Positions in the array, from 1, take the place of line numbers.
 */
export class JsonArraySplitter implements RecordSplitter {
  readonly #maxRecordBytes: number;
  #where: 'before' | 'inside' | 'behind' = 'before';
  #position = 1;
  #pieces: Buffer[] = [];
  #size = 0;
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  constructor(maxRecordBytes: number) {
    this.#maxRecordBytes = maxRecordBytes;
  }

  *push(chunk: Buffer): Generator<RecordText> {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#where !== 'inside') {
        this.#skipOutside(byte);
        start = at + 1;
      } else if (this.#isBoundary(byte)) {
        yield* this.#element(chunk.subarray(start, at), byte);
        start = at + 1;
      }
    }
    this.#keep(chunk.subarray(start));
  }

  end(): RecordText[] {
    if (this.#where === 'behind') return [];
    throw new RosterError('invalid_body', 'the body must be a JSON array; it ends before the array does');
  }

  /** Whether the byte, which is inside the array, ends an element. */
  #isBoundary(byte: number): boolean {
    if (this.#inString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quoteMark) this.#inString = false;
      return false;
    }
    if (this.#depth === 0 && (byte === comma || byte === closeBracket)) return true;
    if (byte === quoteMark) this.#inString = true;
    else if (byte === openBrace || byte === openBracket) this.#depth++;
    else if (byte === closeBrace || byte === closeBracket) this.#depth = Math.max(0, this.#depth - 1);
    return false;
  }

  *#element(lastPiece: Buffer, boundary: number): Generator<RecordText> {
    this.#keep(lastPiece);
    const line = this.#position++;
    const isTooLong = this.#size > this.#maxRecordBytes;
    const bytes = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#size = 0;
    if (boundary === closeBracket) this.#where = 'behind';
    const isEmptyArray =
      !isTooLong && line === 1 && boundary === closeBracket && bytes.toString().trim() === '';
    if (!isEmptyArray) yield { line, bytes: isTooLong ? undefined : bytes };
  }

  #keep(piece: Buffer): void {
    if (this.#where !== 'inside' || piece.length === 0) return;
    this.#size += piece.length;
    if (this.#size <= this.#maxRecordBytes) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  #skipOutside(byte: number): void {
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return;
    if (this.#where === 'before' && byteOrderMark.includes(byte)) return;
    if (this.#where === 'before' && byte === openBracket) this.#where = 'inside';
    else {
      const what = this.#where === 'before' ? 'it does not begin with [' : 'something follows behind its ]';
      throw new RosterError('invalid_body', `the body must be a JSON array; ${what}`);
    }
  }
}
