import { quote } from '@roster/contract';
import { type Place, placeAt } from './place.ts';
import { type ReadRecord, type ReadResult, unreadable } from './record-reader.ts';
import { type JsonScan, scanJson } from './scan-json.ts';
import { findInvalid } from './utf8-text.ts';

/** Reads the text of one record, which begins at `place`. */
export function readJsonRecord(text: string, place: Place): ReadResult {
  const invalidAt = findInvalid(text);
  if (invalidAt !== -1) return unreadable(placeAt(text, place, invalidAt), 'is not valid UTF-8');
  try {
    return new JsonRecord(text, place, JSON.parse(text));
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
  #scan: JsonScan | undefined;

  constructor(text: string, { line, column }: Place, value: unknown) {
    this.#text = text;
    this.line = line;
    this.column = column;
    this.value = value;
  }

  placeOf(field: string): Place | undefined {
    this.#scan ??= scanJson(this.#text);
    const offset = this.#scan.members.get(field);
    return offset === undefined ? undefined : placeAt(this.#text, this, offset);
  }
}

/** The message of `JSON.parse` without its excerpt of the text and its position, which counts from elsewhere. */
export function jsonReason(error: unknown): string {
  return (error as Error).message
    .split(/, "|, \.\.\.| in JSON at position| at position|\n/)[0]!
    .slice(0, 100);
}
