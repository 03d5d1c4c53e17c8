import type { IncomingMessage, ServerResponse } from 'node:http';

export const anyOrigin = '*';
const forOthers = ['Vary', 'Origin'];

/** What scripts of other origins may read beside the body. */
const exposed =
  'Allow, Content-Disposition, ETag, RateLimit, RateLimit-Policy, Retry-After, Roster-Revision, WWW-Authenticate';
const methods = 'GET, HEAD, POST, PUT, DELETE';
const requestHeaders =
  'Authorization, Content-Encoding, Content-Type, If-Match, If-None-Match, Last-Event-ID, Roster-Revision';
const maxAgeSeconds = '600';

/**
 * Lets scripts of the named origins use the server. Cookies are for the server's own pages: credentials are
 * never allowed, and scripts of others send a token in `Authorization`.
 */
export class Cors {
  readonly #headers: ReadonlyMap<string, readonly string[]>;

  constructor(origins: readonly string[]) {
    this.#headers = new Map(origins.map((origin) => [origin, headersFor(origin)]));
  }

  /** Names and values in turn. */
  headersFor({ headers: { origin } }: IncomingMessage): readonly string[] {
    return this.#headers.get(anyOrigin) ?? this.#headers.get(origin ?? '') ?? forOthers;
  }

  allows({ headers: { origin } }: IncomingMessage): boolean {
    return origin !== undefined && (this.#headers.has(anyOrigin) || this.#headers.has(origin));
  }

  /** Answers what a browser asks before it sends a request of an allowed origin; returns whether it was that. */
  answerPreflight(request: IncomingMessage, response: ServerResponse): boolean {
    const isPreflight = request.method === 'OPTIONS' && 'access-control-request-method' in request.headers;
    if (!isPreflight || !this.allows(request)) return false;
    response.setHeader('Access-Control-Allow-Methods', methods);
    response.setHeader('Access-Control-Allow-Headers', requestHeaders);
    response.setHeader('Access-Control-Max-Age', maxAgeSeconds);
    response.writeHead(204).end();
    return true;
  }
}

/** What is wrong with a list of origins, if anything. */
export function faultOfOrigins(origins: readonly string[]): string | undefined {
  const wrong = origins.find((origin) => origin !== anyOrigin && !isOrigin(origin));
  if (wrong === undefined) return undefined;
  return `must have origins such as https://console.example.com, without a path, got ${JSON.stringify(wrong)}`;
}

/** As browsers write it: lower case, no path, no port that the scheme has anyway. */
function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function headersFor(origin: string): readonly string[] {
  const headers = ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposed];
  return origin === anyOrigin ? headers : [...headers, 'Vary', 'Origin'];
}
