import { RosterError, secureSessionCookieName, sessionCookieName } from '@roster/contract';
import type { Exchange } from '../http/exchange.ts';
import { readCookie } from '../http/read-cookie.ts';

const maxLifeMs = 12 * 3_600_000;

/** The credential that a browser keeps for its session; undefined when there is none. */
export function readSessionCookie(exchange: Exchange): string | undefined {
  const { request } = exchange;
  return request.headers.cookie === undefined ? undefined : readCookie(request, nameOf(exchange.isSecure));
}

/** Browsers refuse the name for https where there is none. */
function nameOf(isSecure: boolean): string {
  return isSecure ? secureSessionCookieName : sessionCookieName;
}

export interface SessionCookieOptions {
  readonly expiresAtMs: number | undefined;
  readonly isSecure: boolean;
}

/** The header that makes a browser keep the credential, out of reach of scripts and of other sites. */
export function makeSessionCookie(credential: string, options: SessionCookieOptions): string {
  const lifeMs = Math.min(maxLifeMs, (options.expiresAtMs ?? Number.POSITIVE_INFINITY) - Date.now());
  const pair = `${nameOf(options.isSecure)}=${credential}`;
  return formatCookie(pair, Math.max(0, Math.floor(lifeMs / 1000)), options.isSecure);
}

/** The headers that make a browser forget the credential, by whichever name it has it. */
export function clearSessionCookies(isSecure: boolean): string[] {
  const names = isSecure ? [secureSessionCookieName, sessionCookieName] : [sessionCookieName];
  return names.map((name) => formatCookie(`${name}=`, 0, isSecure));
}

function formatCookie(pair: string, maxAgeSeconds: number, isSecure: boolean): string {
  const secure = isSecure ? '; Secure' : '';
  return `${pair}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}

/** Throws `forbidden` unless a page of this server had the browser send this. */
export function requireSameOrigin({ request: { headers }, client: { origin } }: Exchange): void {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? headers.origin === origin : site === 'same-origin';
  if (isOwn) return;
  throw new RosterError(
    'forbidden',
    'a session can change things only from pages of this server; other callers send their token in Authorization',
  );
}

/** Throws `forbidden` when a page of another site had a browser send this. What is no browser may. */
export function refuseOtherSites(exchange: Exchange): void {
  const { headers } = exchange.request;
  const isBrowser = headers['sec-fetch-site'] !== undefined || headers.origin !== undefined;
  if (isBrowser) requireSameOrigin(exchange);
}
