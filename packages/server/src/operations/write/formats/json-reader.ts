import { quote, RosterError } from '@roster/contract';
import { jsonReason, readJsonRecord } from './json-record.ts';
import { describePosition, type Position, PositionCounter } from './position.ts';
import {
  isTooLong,
  type ListingPage,
  parseListingPage,
  type ReadResult,
  type RecordReader,
  tooLong,
} from './record-reader.ts';

/** What the next character that is not blank belongs to. */
type Part = 'start' | 'record' | 'name' | 'resources' | 'page' | 'comma or }' | 'end';

/** The characters that end each part. */
const endsOf = { record: ',]', name: ':}', page: ',}' } as const;

/** Reads a JSON array of records, or a listing: an object with such an array as `resources`, and `page`. */
export class JsonReader implements RecordReader {
  page: ListingPage | undefined;
  readonly #maxRecordBytes: number;
  readonly #counter: PositionCounter;
  readonly #names = new Set<string>();
  #part: Part = 'start';
  #cutter: JsonCutter | undefined;
  #isListing = false;
  #isFirst = true;

  constructor(maxRecordBytes: number, start: Position = { line: 1, column: 1 }) {
    this.#maxRecordBytes = maxRecordBytes;
    this.#counter = new PositionCounter(start);
  }

  *push(text: string): Generator<ReadResult> {
    for (let at = 0; at < text.length; ) {
      this.#cutter ??= this.#begin(text, at);
      if (this.#cutter === undefined) {
        at++;
        continue;
      }
      const end = this.#cutter.take(text, at);
      if (end === -1) break;
      const result = this.#finish(this.#cutter, text[end]!);
      if (result !== undefined) yield result;
      this.#cutter = undefined;
      at = end + 1;
    }
    this.#counter.nextPiece(text.length);
  }

  end(): ReadResult[] {
    if (this.#part === 'end') return [];
    const { position } = this.#cutter ?? {};
    if (position === undefined || this.#part !== 'record') throw invalidBody('it ends too early');
    throw invalidBody(`it ends inside the record at ${describePosition(position)}`);
  }

  /** Skips the character, or returns a cutter for the value that begins with it. */
  #begin(text: string, at: number): JsonCutter | undefined {
    const character = text[at]!;
    if (character === '\n') this.#counter.newlineAt(at);
    if (' \t\r\n'.includes(character)) return undefined;
    const part = this.#part;
    if (part === 'record' || part === 'name' || part === 'page') {
      const isEmpty = this.#isFirst && character === (part === 'record' ? ']' : '}');
      const options = { maxLength: this.#maxRecordBytes, ends: endsOf[part] };
      if (!isEmpty) return new JsonCutter(this.#counter, at, options);
    }
    this.#structure(character, this.#counter.positionOf(at));
    return undefined;
  }

  #structure(character: string, position: Position): void {
    const step = `${this.#part} ${character}`;
    if (step === 'start [' || step === 'resources [') this.#enter('record');
    else if (step === 'start {') {
      this.#isListing = true;
      this.#enter('name');
    } else if (step === 'record ]') this.#part = this.#isListing ? 'comma or }' : 'end';
    else if (step === 'comma or } ,') {
      this.#part = 'name';
      this.#isFirst = false;
    } else if (step === 'comma or } }' || step === 'name }') this.#endListing();
    else {
      const place = describePosition(position);
      throw invalidBody(`${unexpected(this.#part)}, got ${quote(character)} at ${place}`);
    }
  }

  #enter(part: 'record' | 'name'): void {
    this.#part = part;
    this.#isFirst = true;
  }

  #endListing(): void {
    if (!this.#names.has('resources')) throw invalidBody('it has no resources');
    this.#part = 'end';
  }

  #finish(cutter: JsonCutter, end: string): ReadResult | undefined {
    this.#isFirst = false;
    if (this.#part === 'name') this.#finishName(cutter, end);
    else if (this.#part === 'page') {
      this.page = parseListingPage(parsePart(cutter));
      this.#part = 'comma or }';
      this.#structure(end, cutter.position);
    } else {
      if (end === ']') this.#structure(end, cutter.position);
      return isTooLong(cutter.text, this.#maxRecordBytes)
        ? tooLong(cutter.position, this.#maxRecordBytes)
        : readJsonRecord(cutter.text, cutter.position);
    }
    return undefined;
  }

  #finishName(cutter: JsonCutter, end: string): void {
    const name = parsePart(cutter);
    const where = `at ${describePosition(cutter.position)}`;
    if (end !== ':' || typeof name !== 'string') throw invalidBody(`a member has no name ${where}`);
    if (name !== 'resources' && name !== 'page') throw invalidBody(`it has a member ${quote(name)} ${where}`);
    if (this.#names.has(name)) throw invalidBody(`it has ${name} twice, again ${where}`);
    this.#names.add(name);
    this.#part = name;
  }
}

function unexpected(part: Part): string {
  if (part === 'end') return 'something follows its end';
  return part === 'resources' ? 'resources must be an array' : 'something else is in its place';
}

function parsePart({ text, position }: JsonCutter): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidBody(`it is not valid JSON at ${describePosition(position)}: ${jsonReason(error)}`);
  }
}

function invalidBody(reason: string): RosterError {
  const shape = 'a JSON array of records, or a listing, which is an object with resources and page';
  return new RosterError('invalid_body', `the body must be ${shape}; ${reason}`);
}

const newline = 0x0a;
const quoteMark = 0x22;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Cuts a JSON value, or whatever is in its place, out of text that arrives in pieces. It ends before the first of the
 * given characters outside of strings and inner values. A value over the limit is cut one character after it, to be
 * noticed.
 */
class JsonCutter {
  readonly position: Position;
  text = '';
  readonly #counter: PositionCounter;
  readonly #maxLength: number;
  readonly #ends: string;
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  constructor(counter: PositionCounter, start: number, options: { maxLength: number; ends: string }) {
    this.#counter = counter;
    this.position = counter.positionOf(start);
    this.#maxLength = options.maxLength;
    this.#ends = options.ends;
  }

  /** Returns where the value ends, or -1 if it continues in the next piece. */
  take(piece: string, start: number): number {
    let end = -1;
    for (let at = start; at < piece.length && end === -1; at++) {
      const code = piece.charCodeAt(at);
      if (code === newline) this.#counter.newlineAt(at);
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

  /** Whether the character ends the value. `JSON.parse` refuses unmatched closing brackets later. */
  #passOutside(code: number, piece: string, at: number): boolean {
    if (code === quoteMark) this.#inString = true;
    else if (this.#depth === 0 && this.#ends.includes(piece[at]!)) return true;
    else if (code === openBrace || code === openBracket) this.#depth++;
    else if (code === closeBrace || code === closeBracket) this.#depth = Math.max(0, this.#depth - 1);
    return false;
  }
}
