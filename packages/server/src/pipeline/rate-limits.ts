import { RosterError } from '@roster/contract';
import type { Exchange } from '../http/exchange.ts';
import type { Headers } from '../http/headers.ts';
import { type Rate, RateLimiter } from '../quotas/rate-limiter.ts';

/** Limits the requests of each principal, or of each address without authentication. */
export class RateLimits {
  readonly #rate: Rate;
  readonly #limiter: RateLimiter | undefined;
  readonly #policy: string;

  /** 0 per second means no limit. */
  constructor(rate: Rate) {
    this.#rate = rate;
    this.#limiter = rate.perSecond === 0 ? undefined : new RateLimiter(rate);
    this.#policy = `"requests";q=${rate.burst};w=${Math.ceil(rate.burst / rate.perSecond)}`;
  }

  /** Counts a request and sets its rate headers. Throws `rate_limited` if it is one too many. */
  take(exchange: Exchange): void {
    if (this.#limiter === undefined) return;
    const key = exchange.owner;
    const nowMs = performance.now();
    const left = this.#limiter.take(key, nowMs);
    if (left >= 0) {
      exchange.rateHeaders = this.#headers(left, (this.#rate.burst - left) / this.#rate.perSecond);
      return;
    }
    const retryAfterSeconds = Math.ceil(this.#limiter.waitMs(key, nowMs) / 1000);
    exchange.rateHeaders = this.#headers(0, retryAfterSeconds);
    // Alertmanager drops what is refused with any other status than 5xx.
    const code = exchange.operation === 'receiveAlerts' ? 'overloaded' : 'rate_limited';
    throw new RosterError(code, `at most ${this.#rate.perSecond} requests a second are allowed`, {
      retryAfterSeconds,
    });
  }

  /** The fields of draft-ietf-httpapi-ratelimit-headers. */
  #headers(left: number, seconds: number): Headers {
    return {
      'RateLimit-Policy': this.#policy,
      RateLimit: `"requests";r=${left};t=${Math.ceil(seconds)}`,
    };
  }
}
