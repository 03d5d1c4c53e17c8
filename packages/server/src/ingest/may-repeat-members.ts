const quoteMark = 0x22;

/**
 * Whether a JSON text may give a member twice, of which `JSON.parse` keeps the last. Counts what looks like the end
 * of a name: a quote before a colon can also be in a string, so a yes has to be looked at, and a no is one.
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

/** Without recursion: values may be nested deeper than the stack is. */
function countMembers(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const outer = open.pop();
    if (typeof outer !== 'object' || outer === null) continue;
    const inner: unknown[] = Object.values(outer);
    if (!Array.isArray(outer)) count += inner.length;
    for (const each of inner) if (typeof each === 'object') open.push(each);
  }
  return count;
}
