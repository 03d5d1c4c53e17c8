import type { Place } from './place.ts';
import { type UnreadableRecord, unreadable } from './record-reader.ts';

/** A UTF-16 code unit takes at most three bytes of UTF-8. */
const maxBytesPerUnit = 3;

export function isTooLong(text: string, maxBytes: number): boolean {
  if (text.length * maxBytesPerUnit <= maxBytes) return false;
  return text.length > maxBytes || Buffer.byteLength(text) > maxBytes;
}

export function tooLong(place: Place, maxBytes: number): UnreadableRecord {
  return unreadable(place, `a record may have at most ${maxBytes} bytes`);
}
