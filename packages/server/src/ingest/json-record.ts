import { quote } from '@roster/contract';
import { mayRepeatMembers } from './may-repeat-members.ts';
import { type Place, placeAt } from './place.ts';
import { type ReadRecord, type ReadResult, unreadable } from './record-reader.ts';
import { scanJson } from './scan-json.ts';
import { findInvalid, notUtf8 } from './utf8-text.ts';

/** Reads the text of one record, which begins at `place`. */
export function readJsonRecord(text: string, place: Place): ReadResult {
  const invalidAt = findInvalid(text);
  if (invalidAt !== -1) return unreadable(placeAt(text, place, invalidAt), notUtf8);
  try {
    const value = JSON.parse(text);
    const repeated = mayRepeatMembers(text, value) ? scanJson(text).repeated : undefined;
    if (repeated !== undefined) {
      const at = placeAt(text, place, repeated.at);
      return { faults: [{ ...at, field: repeated.name, reason: 'is given twice' }] };
    }
    return new JsonRecord(text, place, value);
  } catch (error) {
    const reason = `is not valid JSON: ${jsonReason(error)}, got ${quote(text.trim())}`;
    return unreadable(placeAt(text, place, scanJson(text).stoppedAt), reason);
  }
}

class JsonRecord implements ReadRecord {
  readonly line: number;
  readonly column: number;
  readonly value: unknown;
  readonly #text: string;
  #places: ReadonlyMap<string, Place> | undefined;

  constructor(text: string, { line, column }: Place, value: unknown) {
    this.#text = text;
    this.line = line;
    this.column = column;
    this.value = value;
  }

  placeOf(field: string): Place | undefined {
    this.#places ??= this.#findPlaces();
    return this.#places.get(field);
  }

  /** Of all members at once: to count the lines before each of thousands would take long. */
  #findPlaces(): Map<string, Place> {
    const places = new Map<string, Place>();
    let [last, from] = [{ line: this.line, column: this.column }, 0];
    for (const [name, offset] of scanJson(this.#text).members) {
      last = placeAt(this.#text.slice(from, offset), last, offset - from);
      from = offset;
      places.set(name, last);
    }
    return places;
  }
}

/** The message of `JSON.parse` without its excerpt of the text and its position, which counts from elsewhere. */
export function jsonReason(error: unknown): string {
  return (error as Error).message
    .split(/, "|, \.\.\.| in JSON at position| at position|\n/)[0]!
    .slice(0, 100);
}
