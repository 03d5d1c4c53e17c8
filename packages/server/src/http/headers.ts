import { nodeHttp } from './node-http.ts';

const { validateHeaderName, validateHeaderValue } = nodeHttp;

export type Headers = Readonly<Record<string, string>>;

/** For every answer: no content sniffing, no scripts, no frames, no use by pages of other sites. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Headers as lines. Throws if a name or a value would break out of its line. */
export function headerLines(headers: Headers): string {
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  return joinHeaders(headers);
}

/** The same without checks, for headers that contain nothing from outside. */
export function joinHeaders(headers: Headers): string {
  let lines = '';
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`;
  return lines;
}

/** Whether an If-None-Match header names the ETag, by weak comparison. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
