import { quote } from '@roster/contract';
import { type Position, positionAt } from './position.ts';
import { type ReadRecord, type ReadResult, unreadable } from './record-reader.ts';
import { findInvalid, notUtf8 } from './utf8-text.ts';

/** Reads the text of one record, which begins at `position`. */
export function readJsonRecord(text: string, position: Position): ReadResult {
  const invalidAt = findInvalid(text);
  if (invalidAt !== -1) return unreadable(positionAt(text, position, invalidAt), notUtf8);
  try {
    const value = JSON.parse(text);
    const repeated = mayRepeatMembers(text, value) ? scanJson(text).repeated : undefined;
    if (repeated === undefined) return { ...position, value, positionOf: positionsIn(text, position) };
    const at = positionAt(text, position, repeated.at);
    return { errors: [{ ...at, field: repeated.name, reason: 'is given twice' }] };
  } catch (error) {
    const reason = `is not valid JSON: ${jsonReason(error)}, got ${quote(text.trim())}`;
    return unreadable(positionAt(text, position, scanJson(text).stoppedAt), reason);
  }
}

/** The message of `JSON.parse` without the excerpt and the position, which is relative. */
export function jsonReason(error: unknown): string {
  return (error as Error).message
    .split(/, "|, \.\.\.| in JSON at position| at position|\n/)[0]!
    .slice(0, 100);
}

/** Finds all members in one pass: counting lines from the start for each of thousands would be quadratic. */
function positionsIn(text: string, start: Position): ReadRecord['positionOf'] {
  let positions: Map<string, Position> | undefined;
  return (field) => {
    if (positions === undefined) {
      positions = new Map();
      let [last, from] = [start, 0];
      for (const [name, offset] of scanJson(text).members) {
        last = positionAt(text.slice(from, offset), last, offset - from);
        from = offset;
        positions.set(name, last);
      }
    }
    return positions.get(field);
  };
}

const quoteMark = 0x22;

/**
 * Whether a JSON text may have a member twice; `JSON.parse` keeps the last one. Counts quotes before colons, which can
 * also be inside a string: only a no is certain.
 */
export function mayRepeatMembers(text: string, value: unknown): boolean {
  let names = 0;
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    if (endsName(text, at)) names++;
  }
  return names > countMembers(value);
}

function endsName(text: string, colonAt: number): boolean {
  let at = colonAt - 1;
  while (isBlank(text.charCodeAt(at))) at--;
  return text.charCodeAt(at) === quoteMark;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Not recursive: values may be nested deeper than the stack allows. */
function countMembers(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const outer = open.pop();
    if (typeof outer !== 'object' || outer === null) continue;
    const isObject = !Array.isArray(outer);
    for (const name in outer) {
      const inner = (outer as Record<string, unknown>)[name];
      if (isObject) count++;
      if (typeof inner === 'object') open.push(inner);
    }
  }
  return count;
}

interface JsonScan {
  /** The names of the outermost object, and the offset at which each begins. */
  readonly members: ReadonlyMap<string, number>;
  /** The offset at which the text stops being JSON; its length if it is JSON or ends too early. */
  readonly stoppedAt: number;
  /** The first name that an object has twice, and where it comes again. */
  readonly repeated: { readonly name: string; readonly at: number } | undefined;
}

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma or end';

const stringPart = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const token =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null|[{}[\],:]/y;
const blanks = /[ \t\n\r]*/y;

/** Finds the offsets that `JSON.parse` does not report: of names, and of the first syntax error. */
export function scanJson(text: string): JsonScan {
  const members = new Map<string, number>();
  const open: string[] = [];
  const names: Set<string>[] = [];
  let repeated: JsonScan['repeated'];
  let expected: Expected = 'value';
  for (let at = endOf(blanks, text, 0); at < text.length; ) {
    const end = endOf(token, text, at);
    if (end === at) return { members, stoppedAt: endOf(stringPart, text, at), repeated };
    const found = text.slice(at, end);
    const next = follow(expected, found, open);
    if (next === undefined) return { members, stoppedAt: at, repeated };
    if (found === '{' && next === 'name or }') names[open.length] = new Set();
    if (next === 'colon') {
      const name = JSON.parse(found) as string;
      const known = names[open.length]!;
      if (known.has(name)) repeated ??= { name, at };
      known.add(name);
      if (open.length === 1) members.set(name, at);
    }
    expected = next;
    at = endOf(blanks, text, end);
  }
  return { members, stoppedAt: text.length, repeated };
}

/** Where a match that begins at `at` ends; `at` itself if there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** What may follow a token, or undefined if the token was not expected. */
function follow(expected: Expected, found: string, open: string[]): Expected | undefined {
  const innermost = open.at(-1);
  switch (expected) {
    case 'colon':
      return found === ':' ? 'value' : undefined;
    case 'name':
      return found[0] === '"' ? 'colon' : undefined;
    case 'name or }':
      return found === '}' ? close(open) : follow('name', found, open);
    case 'value or ]':
      return found === ']' ? close(open) : follow('value', found, open);
    case 'value':
      return beginValue(found, open);
    case 'comma or end':
      if (innermost === undefined) return undefined;
      if (found === ',') return innermost === '{' ? 'name' : 'value';
      return found === (innermost === '{' ? '}' : ']') ? close(open) : undefined;
  }
}

function beginValue(found: string, open: string[]): Expected | undefined {
  if (found === '{' || found === '[') {
    open.push(found);
    return found === '{' ? 'name or }' : 'value or ]';
  }
  return '}],:'.includes(found) ? undefined : 'comma or end';
}

function close(open: string[]): Expected {
  open.pop();
  return 'comma or end';
}
