import { invalidArgument } from './errors.ts';

/** A value for a message: JSON, shortened. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

/** Refuses unknown members, because the caller expects them to work. */
export function refuseUnknownMembers(what: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    throw invalidArgument(`${quote(name)} is not a member of ${what}; known members are ${known.join(', ')}`);
  }
}

export function checkCount(name: string, value: unknown, max = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= max) {
    return value as number;
  }
  throw invalidArgument(`${name} must be a whole number from 0 to ${max}, got ${quote(value)}`);
}

/** Encodes a path segment. URLs drop empty and relative segments, even encoded ones. */
export function encodeSegment(name: string, value: unknown): string {
  if (typeof value !== 'string') throw invalidArgument(`${name} must be a string, got ${quote(value)}`);
  if (value === '' || value === '.' || value === '..') {
    throw invalidArgument(`${name} must not be empty or a relative path segment, got ${quote(value)}`);
  }
  if (/\p{Cs}/u.test(value)) throw invalidArgument(`${name} must be valid Unicode, got ${quote(value)}`);
  return encodeURIComponent(value);
}
