/** What a second look at JSON text finds. */
export interface JsonScan {
  /** The names of the outermost object and the offset at which each begins. */
  readonly members: ReadonlyMap<string, number>;
  /** The offset at which the text stops being JSON; its length when it is JSON or ends too early. */
  readonly stoppedAt: number;
  /** The first name that an object has twice, and where it comes again. */
  readonly repeated: { readonly name: string; readonly at: number } | undefined;
}

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma or end';

const stringPart = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const token =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null|[{}[\],:]/y;
const blanks = /[ \t\n\r]*/y;

/** Finds out where names stand and where the text goes wrong, which `JSON.parse` does not tell. */
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

/** Where a match that begins at `at` ends; `at` itself when there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** What may follow a token, or undefined when the token is not what was expected. */
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
