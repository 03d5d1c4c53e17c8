import type { IncomingMessage } from 'node:http';
import { quote, RosterError } from '@roster/contract';
import type { Exchange } from '../http/exchange.ts';
import { type Headers, headerLines, securityHeaders } from '../http/headers.ts';
import { isLoopback } from '../http/is-loopback.ts';
import { isForeign } from '../http/same-origin.ts';
import { Cors } from './cors.ts';

export interface BrowserProtectionOptions {
  readonly auth: 'on' | 'off';
  readonly allowedHosts: readonly string[];
  readonly cors: { readonly origins: readonly string[] };
  readonly isTls: boolean;
}

/** Tells browsers to use HTTPS from now on. */
const tlsHeaders = { 'Strict-Transport-Security': 'max-age=31536000' };

/** Protects against requests that other web sites make a browser send: host check, CORS, security headers. */
export class BrowserProtection {
  readonly #hosts: HostCheck | undefined;
  readonly #cors: Cors | undefined;
  readonly #headers: Headers;
  readonly #headerLines: string;

  constructor({ auth, allowedHosts, cors: { origins }, isTls }: BrowserProtectionOptions) {
    this.#hosts = auth === 'off' ? new HostCheck(allowedHosts) : undefined;
    this.#cors = origins.length === 0 ? undefined : new Cors(origins);
    this.#headers = { ...securityHeaders, ...(isTls ? tlsHeaders : {}) };
    this.#headerLines = headerLines(this.#headers);
  }

  /** Throws if the request was meant for another host. */
  checkHost({ request }: Exchange): void {
    this.#hosts?.check(request);
  }

  /** Sets the headers that every answer has. */
  setHeaders({ request, response }: Exchange): void {
    for (const [name, value] of Object.entries(this.#headers)) response.setHeader(name, value);
    const cors = this.#cors?.headersFor(request) ?? {};
    for (const [name, value] of Object.entries(cors)) response.setHeader(name, value);
  }

  /** The same headers as lines. */
  headerLinesFor({ request }: Exchange): string {
    if (this.#cors === undefined) return this.#headerLines;
    return this.#headerLines + headerLines(this.#cors.headersFor(request));
  }

  /** Undefined unless it is a preflight request of an allowed origin. */
  preflightHeaders({ request }: Exchange): Headers | undefined {
    return this.#cors?.preflightHeaders(request);
  }

  /**
   * Throws `forbidden` if a page of another site writes. With authentication, other sites have no credential, and this
   * is not needed.
   */
  refuseForeignWrites(exchange: Exchange): void {
    if (this.#hosts === undefined || !isForeign(exchange) || this.#cors?.allows(exchange.request)) return;
    throw new RosterError('forbidden', 'a page of another origin may not write here; see cors.origins');
  }
}

/** Against DNS rebinding: a web page can point its own host name at 127.0.0.1, but `Host` still has that name. */
class HostCheck {
  readonly #allowed: ReadonlySet<string>;
  #lastAllowed: string | undefined;

  constructor(allowedHosts: readonly string[]) {
    this.#allowed = new Set(allowedHosts.map((name) => name.toLowerCase()));
  }

  /** Browsers always send `Host`. */
  check({ headers: { host } }: IncomingMessage): void {
    if (host === this.#lastAllowed || host === undefined) return;
    const [, bracketed, plain = host] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? [];
    const name = (bracketed ?? plain).toLowerCase();
    if (!isLoopback(name) && !this.#allowed.has(name)) {
      const message = `this server is not ${quote(host)}; call it localhost, or add the name to allowedHosts`;
      throw new RosterError('misdirected_request', message, { parameter: 'Host' });
    }
    this.#lastAllowed = host;
  }
}
