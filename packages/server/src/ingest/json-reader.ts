import { quote, RosterError } from '@roster/contract';
import { JsonCutter } from './json-cutter.ts';
import { jsonReason, readJsonRecord } from './json-record.ts';
import { type ListingPage, parseListingPage } from './listing-page.ts';
import { describePlace, type Place } from './place.ts';
import type { ReadResult, RecordReader } from './record-reader.ts';
import { isTooLong, tooLong } from './record-size.ts';
import { TextPosition } from './text-position.ts';

/** What the next significant character belongs to. */
type Part = 'start' | 'record' | 'name' | 'resources' | 'page' | 'comma or }' | 'end';

/** The characters that end what is cut out in one piece. */
const endsOf = { record: ',]', name: ':}', page: ',}' } as const;

/** Reads a JSON array of records, or a listing: an object with such an array as `resources`, and `page`. */
export class JsonReader implements RecordReader {
  page: ListingPage | undefined;
  readonly #maxRecordBytes: number;
  readonly #position: TextPosition;
  readonly #names = new Set<string>();
  #part: Part = 'start';
  #cutter: JsonCutter | undefined;
  #isListing = false;
  #isFirst = true;

  constructor(maxRecordBytes: number, start: Place = { line: 1, column: 1 }) {
    this.#maxRecordBytes = maxRecordBytes;
    this.#position = new TextPosition(start);
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
    this.#position.nextPiece(text.length);
  }

  end(): ReadResult[] {
    if (this.#part === 'end') return [];
    const { place } = this.#cutter ?? {};
    const isInside = place !== undefined && this.#part === 'record';
    throw invalidBody(
      isInside ? `it ends inside the record at ${describePlace(place)}` : 'it ends too early',
    );
  }

  /** Passes over the character, or returns a cutter for the value that begins with it. */
  #begin(text: string, at: number): JsonCutter | undefined {
    const character = text[at]!;
    if (character === '\n') this.#position.newlineAt(at);
    if (' \t\r\n'.includes(character)) return undefined;
    const part = this.#part;
    if (part === 'record' || part === 'name' || part === 'page') {
      const isEmpty = this.#isFirst && character === (part === 'record' ? ']' : '}');
      if (!isEmpty) {
        const options = { maxLength: this.#maxRecordBytes, ends: endsOf[part] };
        return new JsonCutter(this.#position, at, options);
      }
    }
    this.#structure(character, this.#position.placeOf(at));
    return undefined;
  }

  #structure(character: string, place: Place): void {
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
    else throw invalidBody(`${unexpected(this.#part)}, got ${quote(character)} at ${describePlace(place)}`);
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
      this.#structure(end, cutter.place);
    } else {
      if (end === ']') this.#structure(end, cutter.place);
      return isTooLong(cutter.text, this.#maxRecordBytes)
        ? tooLong(cutter.place, this.#maxRecordBytes)
        : readJsonRecord(cutter.text, cutter.place);
    }
    return undefined;
  }

  #finishName(cutter: JsonCutter, end: string): void {
    const name = parsePart(cutter);
    const where = `at ${describePlace(cutter.place)}`;
    if (end !== ':' || typeof name !== 'string') throw invalidBody(`a member has no name ${where}`);
    if (name !== 'resources' && name !== 'page') throw invalidBody(`it has a member ${quote(name)} ${where}`);
    if (this.#names.has(name)) throw invalidBody(`it has ${name} twice, again ${where}`);
    this.#names.add(name);
    this.#part = name;
  }
}

function unexpected(part: Part): string {
  if (part === 'end') return 'something follows behind its end';
  return part === 'resources' ? 'resources must be an array' : 'something else is in its place';
}

function parsePart({ text, place }: JsonCutter): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidBody(`it is not valid JSON at ${describePlace(place)}: ${jsonReason(error)}`);
  }
}

function invalidBody(reason: string): RosterError {
  const shape = 'a JSON array of records, or a listing, which is an object with resources and page';
  return new RosterError('invalid_body', `the body must be ${shape}; ${reason}`);
}
