import type { IncomingMessage, ServerResponse } from 'node:http';
import { RosterError } from '@roster/contract';
import { headerLines, type RawHeaders } from '../http/header-lines.ts';
import { Cors } from './cors.ts';
import { HostCheck } from './host-check.ts';
import { securityHeaders, tlsHeaders } from './security-headers.ts';
import type { ClientOf } from './trusted-proxies.ts';

export interface GateOptions {
  /** Whether requests say who they come from. */
  readonly auth: 'on' | 'off';
  readonly allowedHosts: readonly string[];
  readonly cors: { readonly origins: readonly string[] };
  readonly isTls: boolean;
  readonly clientOf: ClientOf;
}

const foreignSites: ReadonlySet<unknown> = new Set(['cross-site', 'same-site']);

/** What is decided of a request before anyone looks at what it asks for, and what its answer tells browsers. */
export class Gate {
  readonly #hosts: HostCheck | undefined;
  readonly #cors: Cors | undefined;
  readonly #headers: RawHeaders;
  readonly #headerLines: string;
  readonly #clientOf: ClientOf;

  constructor({ auth, allowedHosts, cors: { origins }, isTls, clientOf }: GateOptions) {
    this.#clientOf = clientOf;
    this.#hosts = auth === 'off' ? new HostCheck(allowedHosts) : undefined;
    this.#cors = origins.length === 0 ? undefined : new Cors(origins);
    this.#headers = Object.entries({ ...securityHeaders, ...(isTls ? tlsHeaders : {}) }).flat();
    this.#headerLines = headerLines(this.#headers);
  }

  /** Throws where a request shall go no further. */
  check(request: IncomingMessage): void {
    this.#hosts?.check(request);
  }

  /** The headers that every answer has. */
  headersFor(request: IncomingMessage): RawHeaders {
    return this.#cors === undefined ? this.#headers : [...this.#headers, ...this.#cors.headersFor(request)];
  }

  /** The same as `headersFor`, as lines. */
  headerLinesFor(request: IncomingMessage): string {
    if (this.#cors === undefined) return this.#headerLines;
    return this.#headerLines + headerLines(this.#cors.headersFor(request));
  }

  /** Sets those headers; returns whether that was all that a browser wanted to know. */
  prepare(request: IncomingMessage, response: ServerResponse): boolean {
    const headers = this.headersFor(request);
    for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at]!, headers[at + 1]!);
    return this.#cors?.answerPreflight(request, response) === true;
  }

  /**
   * Throws `forbidden` where nobody is asked who they are, so that a page of the web could write in the name of whoever
   * looks at it.
   */
  refuseForeignWrites(request: IncomingMessage): void {
    if (this.#hosts === undefined) return;
    if (!this.#isForeign(request) || this.#cors?.allows(request)) return;
    throw new RosterError('forbidden', 'a page of another origin may not write here; see cors.origins');
  }

  /** Browsers that do not name the site name the origin. What is no browser names neither. */
  #isForeign(request: IncomingMessage): boolean {
    const { 'sec-fetch-site': site, origin } = request.headers;
    if (site !== undefined) return foreignSites.has(site);
    return origin !== undefined && origin !== this.#clientOf(request).origin;
  }
}
