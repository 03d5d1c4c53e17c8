import type { IncomingMessage } from 'node:http';
import { RosterError, secureSessionCookieName, sessionCookieName } from '@roster/contract';
import { readCookie } from '../http/read-cookie.ts';
import type { ClientOf } from '../protection/trusted-proxies.ts';

const maxLifeMs = 12 * 3_600_000;

/** The credential that a browser keeps for its session; undefined when there is none. */
export function readSessionCookie(request: IncomingMessage, clientOf: ClientOf): string | undefined {
  if (request.headers.cookie === undefined) return undefined;
  return readCookie(request, nameOf(clientOf(request).origin.startsWith('https:')));
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
  return formatCookie(credential, Math.max(0, Math.floor(lifeMs / 1000)), options.isSecure);
}

export function clearSessionCookie(isSecure: boolean): string {
  return formatCookie('', 0, isSecure);
}

function formatCookie(value: string, maxAgeSeconds: number, isSecure: boolean): string {
  const secure = isSecure ? '; Secure' : '';
  return `${nameOf(isSecure)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}

/** Throws `forbidden` unless a page of this server had the browser send this. */
export function requireSameOrigin({ headers }: IncomingMessage, origin: string): void {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? headers.origin === origin : site === 'same-origin';
  if (isOwn) return;
  throw new RosterError(
    'forbidden',
    'a session can change things only from pages of this server; other callers send their token in Authorization',
  );
}

/** Throws `forbidden` when a page of another site had a browser send this. What is no browser may. */
export function refuseOtherSites(request: IncomingMessage, origin: string): void {
  const isBrowser = request.headers['sec-fetch-site'] !== undefined || request.headers.origin !== undefined;
  if (isBrowser) requireSameOrigin(request, origin);
}
