import { invalidArgument } from './errors.ts';

/** A value as it may stand in a message: JSON, and short. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

/** Whoever gives a member that does not exist relies on it. */
export function refuseUnknownMembers(what: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    throw invalidArgument(`${quote(name)} is not a member of ${what}; known are ${known.join(', ')}`);
  }
}

export function checkCount(name: string, value: unknown, max = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= max) {
    return value as number;
  }
  throw invalidArgument(`${name} must be a whole number from 0 to ${max}, got ${quote(value)}`);
}

/** A name that a path can hold: URLs take out empty and relative segments, even when they are encoded. */
export function encodeSegment(name: string, value: unknown): string {
  if (typeof value !== 'string') throw invalidArgument(`${name} must be a string, got ${quote(value)}`);
  if (value === '' || value === '.' || value === '..') {
    throw invalidArgument(`${name} must be neither empty nor a relative path segment, got ${quote(value)}`);
  }
  if (/\p{Cs}/u.test(value)) throw invalidArgument(`${name} must be valid Unicode, got ${quote(value)}`);
  return encodeURIComponent(value);
}
