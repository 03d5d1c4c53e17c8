import type { RecordFault } from '@roster/contract';
import type { ListingPage } from './listing-page.ts';
import type { Place } from './place.ts';

/** One record of a body, not checked yet. */
export interface ReadRecord extends Place {
  readonly value: unknown;
  /** Where a field stands, or undefined when the record does not have it. Takes a second look at the text. */
  placeOf(field: string): Place | undefined;
}

/** A record that has no value because of what is wrong with its text. */
export interface UnreadableRecord {
  readonly faults: readonly RecordFault[];
}

export type ReadResult = ReadRecord | UnreadableRecord;

/**
 * Finds the records in the text of a body, which arrives in pieces, and holds at most one of them. What is
 * wrong with one record keeps no other from being read; `invalid_body` is thrown where no record can be told.
 */
export interface RecordReader {
  push(text: string): Iterable<ReadResult>;
  /** To be called once behind the last piece. */
  end(): Iterable<ReadResult>;
  /** The page of the listing that the body was, as far as it was read. */
  readonly page?: ListingPage | undefined;
}

export function unreadable(place: Place, reason: string): UnreadableRecord {
  return { faults: [{ line: place.line, column: place.column, field: undefined, reason }] };
}
