import type { IncomingMessage } from 'node:http';
import type { Headers } from '../http/headers.ts';
import { anyOrigin } from '../http/origin-setting.ts';

const forOthers = { Vary: 'Origin' };

/** Headers that scripts of other origins may read. */
const exposed =
  'Allow, Content-Disposition, ETag, RateLimit, RateLimit-Policy, Retry-After, Roster-Hint, Roster-Revision, WWW-Authenticate';
const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Encoding, Content-Type, If-Match, If-None-Match, Last-Event-ID, Roster-Revision',
  'Access-Control-Max-Age': '600',
};

/** Lets scripts of the named origins use the server, with a token in `Authorization` and never with cookies. */
export class Cors {
  readonly #headers: ReadonlyMap<string, Headers>;

  constructor(origins: readonly string[]) {
    this.#headers = new Map(origins.map((origin) => [origin, headersFor(origin)]));
  }

  headersFor({ headers: { origin } }: IncomingMessage): Headers {
    return this.#headers.get(anyOrigin) ?? this.#headers.get(origin ?? '') ?? forOthers;
  }

  allows({ headers: { origin } }: IncomingMessage): boolean {
    return origin !== undefined && (this.#headers.has(anyOrigin) || this.#headers.has(origin));
  }

  preflightHeaders(request: IncomingMessage): Headers | undefined {
    const isPreflight = request.method === 'OPTIONS' && 'access-control-request-method' in request.headers;
    return isPreflight && this.allows(request) ? preflightHeaders : undefined;
  }
}

function headersFor(origin: string): Headers {
  const headers = { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposed };
  return origin === anyOrigin ? headers : { ...headers, ...forOthers };
}
