import type { IncomingMessage } from 'node:http';

/** Undefined when there is none, or an empty one. */
export function readCookie({ headers: { cookie } }: IncomingMessage, name: string): string | undefined {
  if (cookie === undefined) return undefined;
  for (const pair of cookie.split(';')) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim() || undefined;
  }
  return undefined;
}
