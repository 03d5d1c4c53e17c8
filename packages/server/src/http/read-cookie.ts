import type { IncomingMessage } from 'node:http';

/** Undefined when there is none, an empty one, or several that differ: nobody can tell whose they are. */
export function readCookie({ headers: { cookie } }: IncomingMessage, name: string): string | undefined {
  if (cookie === undefined) return undefined;
  const values = new Set<string>();
  for (const pair of cookie.split(';')) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === name) values.add(pair.slice(at + 1).trim());
  }
  const [value] = values;
  return values.size === 1 ? value || undefined : undefined;
}
