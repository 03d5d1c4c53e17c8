import { RosterError } from '../errors.ts';
import { quote } from '../quote.ts';
import type { StationAddress } from '../station-address.ts';

/** A pattern that matches station addresses. */
export interface Scope {
  /** In the long form, each name percent-encoded. */
  readonly text: string;
  /** From the subscription down. With fewer than four, the scope includes everything below the last. */
  readonly parts: readonly ScopePart[];
}

/** How one of the four names must match. */
export interface ScopePart {
  readonly match: 'name' | 'prefix';
  readonly text: string;
}

const partNames = ['subscription', 'resourceGroup', 'zone', 'name'] as const;
const keywords = ['subscriptions', 'resourceGroups', 'zones', 'telemetryStations'] as const;
const allBelow = '**';

/** Every station. */
export const fullScope: Scope = { text: allBelow, parts: [] };

// Accepts `subscriptions/acme/**` and `subscriptions/acme/resourceGroups/gpu/zones/z1/telemetryStations/prod-*`, the
// same without the keywords, or `**` for everything. A `*` at the end of a name matches any suffix; a literal star
// is written as `%2A`.
export function parseScope(text: string): Scope {
  const segments = text.replace(/^\//, '').split('/');
  const isOpen = segments.at(-1) === allBelow;
  if (isOpen) segments.pop();
  const names = segments[0] === keywords[0] ? withoutKeywords(segments, text) : segments;
  if (names.length > partNames.length || (names.length < partNames.length && !isOpen)) {
    throw invalidScope(text, 'must name subscription, resource group, zone and station, or end with **');
  }
  const parts = names.map((name) => parsePart(name, text));
  if (isOpen && parts.length === partNames.length) throw invalidScope(text, 'has nothing below the station');
  return { text: formatScope(parts), parts };
}

export function isInScope(scope: Scope, address: StationAddress): boolean {
  return scope.parts.every((part, index) => matches(part, address[partNames[index]!]));
}

function matches({ match, text }: ScopePart, name: string): boolean {
  return match === 'name' ? name === text : name.startsWith(text);
}

/** Whether a station of this name can be in the scope, `part` being which of the four names it is. */
export function allowsName(scope: Scope, part: (typeof partNames)[number], name: string): boolean {
  const wanted = scope.parts[partNames.indexOf(part)];
  return wanted === undefined || matches(wanted, name);
}

/** Whether every station in `inner` is also in `outer`. */
export function coversScope(outer: Scope, inner: Scope): boolean {
  return outer.parts.every((part, index) => {
    const within = inner.parts[index];
    if (within === undefined) return part.match === 'prefix' && part.text === '';
    if (part.match === 'name') return within.match === 'name' && within.text === part.text;
    return within.text.startsWith(part.text);
  });
}

function withoutKeywords(segments: readonly string[], scope: string): string[] {
  const isLong =
    segments.length % 2 === 0 && segments.every((segment, i) => i % 2 === 1 || segment === keywords[i / 2]);
  if (!isLong)
    throw invalidScope(scope, `must be in the order ${keywords.map((word) => `${word}/…`).join('/')}`);
  return segments.filter((_, i) => i % 2 === 1);
}

function parsePart(segment: string, scope: string): ScopePart {
  if (segment === '') throw invalidScope(scope, 'has an empty name');
  const isPrefix = segment.endsWith('*');
  const written = isPrefix ? segment.slice(0, -1) : segment;
  if (written.includes('*'))
    throw invalidScope(scope, 'may have a * only at the end of a name, and ** only at the very end');
  const name = decodeName(written, scope);
  if (!name.isWellFormed()) throw invalidScope(scope, 'has half of a character');
  return { match: isPrefix ? 'prefix' : 'name', text: name };
}

function decodeName(written: string, scope: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    throw invalidScope(scope, 'is not valid percent-encoded UTF-8');
  }
}

function formatScope(parts: readonly ScopePart[]): string {
  const written = parts.map(({ match, text }, index) => {
    const name = encodeURIComponent(text).replaceAll('*', '%2A');
    return `${keywords[index]}/${name}${match === 'prefix' ? '*' : ''}`;
  });
  return [...written, ...(parts.length < partNames.length ? [allBelow] : [])].join('/');
}

function invalidScope(scope: string, error: string): RosterError {
  return new RosterError('invalid_parameter', `the scope ${quote(scope)} ${error}`, { parameter: 'scope' });
}
