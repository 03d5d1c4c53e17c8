import type { IncomingMessage, ServerResponse } from 'node:http';
import { RosterError } from '@roster/contract';
import type { Principal } from '../access/principal.ts';
import type { RawHeaders } from '../http/header-lines.ts';
import { addressKey } from './address-key.ts';
import { type Rate, RateLimiter } from './rate-limiter.ts';
import type { ClientOf } from './trusted-proxies.ts';

const none: RawHeaders = [];

/** How many requests each principal may make, and each address of those who are nobody in particular. */
export class RateLimits {
  readonly #rate: Rate;
  readonly #clientOf: ClientOf;
  readonly #limiter: RateLimiter | undefined;
  readonly #policy: string;

  /** No limit where the rate is 0. */
  constructor(rate: Rate, clientOf: ClientOf) {
    this.#rate = rate;
    this.#clientOf = clientOf;
    this.#limiter = rate.perSecond === 0 ? undefined : new RateLimiter(rate);
    this.#policy = `"requests";q=${rate.burst};w=${Math.ceil(rate.burst / rate.perSecond)}`;
  }

  /**
   * Counts a request and returns the headers that tell what is left. Throws `rate_limited`, with those headers set,
   * when there was nothing left.
   */
  take(principal: Principal | undefined, request: IncomingMessage, response: ServerResponse): RawHeaders {
    if (this.#limiter === undefined) return none;
    const isSomebody = principal !== undefined && principal.kind !== 'anonymous';
    const key = isSomebody ? principal.id : addressKey(this.#clientOf(request).address);
    const nowMs = performance.now();
    const left = this.#limiter.take(key, nowMs);
    if (left >= 0) return this.#headers(left, (this.#rate.burst - left) / this.#rate.perSecond);
    const retryAfterSeconds = Math.ceil(this.#limiter.waitMs(key, nowMs) / 1000);
    setRawHeaders(response, this.#headers(0, retryAfterSeconds));
    throw new RosterError('rate_limited', `at most ${this.#rate.perSecond} requests a second are allowed`, {
      retryAfterSeconds,
    });
  }

  /** The fields of draft-ietf-httpapi-ratelimit-headers. */
  #headers(left: number, seconds: number): RawHeaders {
    return ['RateLimit-Policy', this.#policy, 'RateLimit', `"requests";r=${left};t=${Math.ceil(seconds)}`];
  }
}

export function setRawHeaders(response: ServerResponse, headers: RawHeaders): void {
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at]!, headers[at + 1]!);
}
