import { RosterError } from '@roster/contract';
import type { Exchange } from './exchange.ts';

const foreignSites: ReadonlySet<unknown> = new Set(['cross-site', 'same-site']);

/** Browsers send the site or, if they are old, the origin. Other clients send neither. */
export function isForeign({ request: { headers }, client }: Exchange): boolean {
  const { 'sec-fetch-site': site, origin } = headers;
  if (site !== undefined) return foreignSites.has(site);
  return origin !== undefined && origin !== client.origin;
}

/** Throws `forbidden` unless a page of this server sent the request. */
export function requireSameOrigin({ request: { headers }, client: { origin } }: Exchange): void {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? headers.origin === origin : site === 'same-origin';
  if (isOwn) return;
  throw new RosterError(
    'forbidden',
    'a session can change things only from pages of this server; other callers send their token in Authorization',
  );
}

/** Throws `forbidden` if a page of another site sent the request. Clients that are not browsers pass. */
export function refuseOtherSites(exchange: Exchange): void {
  const { headers } = exchange.request;
  const isBrowser = headers['sec-fetch-site'] !== undefined || headers.origin !== undefined;
  if (isBrowser) requireSameOrigin(exchange);
}
