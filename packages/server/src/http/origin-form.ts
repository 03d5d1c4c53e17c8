import { RosterError } from '@roster/contract';

/** A request target without scheme and host: clients may send those too, as they do through a proxy. */
export function originForm(target: string): string {
  // What follows a raw # would be cut off somewhere on the way, and another resource be meant.
  if (target.includes('#')) throw new RosterError('malformed_request', 'a # in a URL must be sent as %23');
  if (target.startsWith('/')) return target;
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('?') ? `/${path}` : path || '/';
}
