import { quote, type RecordError, RosterError } from '@roster/contract';
import type { Position } from './position.ts';

/** One record of a body, not validated yet. */
export interface ReadRecord extends Position {
  readonly value: unknown;
  /** Where a field is; undefined if the record does not have it. Scans the text again. */
  positionOf(field: string): Position | undefined;
}

/** A record whose text cannot be read. */
export interface UnreadableRecord {
  readonly errors: readonly RecordError[];
  /** Nothing after this record can be read. */
  readonly isLast?: boolean;
}

export type ReadResult = ReadRecord | UnreadableRecord;

/**
 * Finds the records in the text of a body, which arrives in pieces. It reads on after an invalid record, and throws
 * `invalid_body` if records cannot be told apart.
 */
export interface RecordReader {
  push(text: string): Iterable<ReadResult>;
  /** Call this once, after the last piece. Yields undefined after some work without a result. */
  end(): Iterable<ReadResult | undefined>;
  /** Call this once, however reading ends. */
  close?(): void;
  /** The page of a listing, as far as it was read. */
  readonly page?: ListingPage | undefined;
}

export function unreadable({ line, column }: Position, reason: string): UnreadableRecord {
  return { errors: [{ line, column, field: undefined, reason }] };
}

/** A UTF-16 code unit takes at most three bytes of UTF-8. */
const maxBytesPerUnit = 3;

export function isTooLong(text: string, maxBytes: number): boolean {
  if (text.length * maxBytesPerUnit <= maxBytes) return false;
  return text.length > maxBytes || Buffer.byteLength(text) > maxBytes;
}

export function tooLong(position: Position, maxBytes: number): UnreadableRecord {
  return unreadable(position, `a record may have at most ${maxBytes} bytes`);
}

/** Which part of the whole list a listing is. */
export interface ListingPage {
  readonly offset: number;
  readonly total: number;
}

const pageMembers = ['offset', 'size', 'total'];

/** Validates the `page` of a listing. A listing without one is the whole list. */
export function parseListingPage(value: unknown): ListingPage | undefined {
  if (value === null || value === undefined) return undefined;
  const page = value as Record<string, unknown>;
  const isPage =
    typeof value === 'object' &&
    Object.keys(value).every((name) => pageMembers.includes(name)) &&
    pageMembers.every((name) => Number.isSafeInteger(page[name]) && (page[name] as number) >= 0);
  if (isPage) return { offset: page.offset as number, total: page.total as number };
  const shape = 'null or an object with offset, size and total, which are whole numbers';
  throw new RosterError('invalid_body', `page must be ${shape}, got ${quote(value)}`);
}

/** A replace removes every resource that the body does not name, so one page would remove all the others. */
export function requireWholeListing(page: ListingPage | undefined, resources: number): void {
  if (page === undefined || (page.offset === 0 && page.total <= resources)) return;
  throw new RosterError(
    'invalid_body',
    `the body is one page of a listing (${resources} of ${page.total} resources); a replace needs all of them`,
  );
}
