import { RosterError } from '@roster/contract';
import type { Exchange } from '../http/exchange.ts';
import { type Headers, headerLines } from '../http/headers.ts';
import { securityHeaders, tlsHeaders } from '../http/security-headers.ts';
import { Cors } from './cors.ts';
import { HostCheck } from './host-check.ts';

export interface BrowserProtectionOptions {
  /** Whether callers have to sign in. */
  readonly auth: 'on' | 'off';
  readonly allowedHosts: readonly string[];
  readonly cors: { readonly origins: readonly string[] };
  readonly isTls: boolean;
}

const foreignSites: ReadonlySet<unknown> = new Set(['cross-site', 'same-site']);

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

  /** The headers that answer a preflight request of an allowed origin; undefined if it is not one. */
  preflightHeaders({ request }: Exchange): Headers | undefined {
    return this.#cors?.preflightHeaders(request);
  }

  /**
   * Throws `forbidden` if a page of another site makes a browser write. Only needed where nobody signs in: otherwise
   * other sites have no credential.
   */
  refuseForeignWrites(exchange: Exchange): void {
    if (this.#hosts === undefined || !isForeign(exchange) || this.#cors?.allows(exchange.request)) return;
    throw new RosterError('forbidden', 'a page of another origin may not write here; see cors.origins');
  }
}

/** Browsers that do not send the site send the origin. Other clients send neither. */
function isForeign({ request: { headers }, client }: Exchange): boolean {
  const { 'sec-fetch-site': site, origin } = headers;
  if (site !== undefined) return foreignSites.has(site);
  return origin !== undefined && origin !== client.origin;
}
