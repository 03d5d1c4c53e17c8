import type { IncomingMessage } from 'node:http';
import { secureSessionCookieName, sessionCookieName } from '@roster/contract';
import type { Exchange } from '../http/exchange.ts';
import type { Principal } from '../http/principal.ts';

const maxLifeMs = 12 * 3_600_000;

/** The credential of a browser session. */
export function readSessionCookie(exchange: Exchange): string | undefined {
  const { request } = exchange;
  return request.headers.cookie === undefined ? undefined : readCookie(request, nameOf(exchange.isSecure));
}

/** Undefined if it is missing or empty, or if there are several that differ: one may be from someone else. */
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

/** Browsers refuse the secure name without https. */
function nameOf(isSecure: boolean): string {
  return isSecure ? secureSessionCookieName : sessionCookieName;
}

/** A cookie that scripts and other sites cannot use. */
export function makeSessionCookie(
  credential: string,
  { expiresAtMs = Infinity }: Principal,
  isSecure: boolean,
): string {
  const lifeMs = Math.min(maxLifeMs, expiresAtMs - Date.now());
  return formatCookie(`${nameOf(isSecure)}=${credential}`, Math.max(0, Math.floor(lifeMs / 1000)), isSecure);
}

/** Cookies that delete the credential under both names. */
export function clearSessionCookies(isSecure: boolean): string[] {
  const names = isSecure ? [secureSessionCookieName, sessionCookieName] : [sessionCookieName];
  return names.map((name) => formatCookie(`${name}=`, 0, isSecure));
}

function formatCookie(pair: string, maxAgeSeconds: number, isSecure: boolean): string {
  const secure = isSecure ? '; Secure' : '';
  return `${pair}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}
