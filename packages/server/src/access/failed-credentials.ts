import { RosterError } from '@roster/contract';
import type { MaybePromise } from '@roster/engine';
import type { Exchange } from '../http/exchange.ts';
import { addressKey } from '../quotas/address-key.ts';
import { RateLimiter } from '../quotas/rate-limiter.ts';

/**
 * Slows down addresses that keep sending wrong credentials. Do not guard requests without a credential or with a known
 * one: others may share the address.
 */
export class FailedCredentials {
  readonly #limiter: RateLimiter | undefined;

  /** 0 means no limit. */
  constructor(perMinute: number) {
    this.#limiter =
      perMinute === 0 ? undefined : new RateLimiter({ perSecond: perMinute / 60, burst: perMinute });
  }

  /** Throws `rate_limited`, without calling `authenticate`, after it threw `unauthorized` too often. */
  guard<T>({ client }: Exchange, authenticate: () => MaybePromise<T>): MaybePromise<T> {
    if (this.#limiter === undefined) return authenticate();
    const key = addressKey(client.address);
    const waitMs = this.#limiter.waitMs(key, performance.now());
    if (waitMs > 0) throw tooMany(waitMs);
    try {
      const outcome = authenticate();
      return outcome instanceof Promise ? outcome.catch((error) => this.#fail(key, error)) : outcome;
    } catch (error) {
      return this.#fail(key, error);
    }
  }

  #fail(key: string, error: unknown): never {
    if (error instanceof RosterError && error.code === 'unauthorized') {
      this.#limiter!.take(key, performance.now());
    }
    throw error;
  }
}

function tooMany(waitMs: number): RosterError {
  return new RosterError('rate_limited', 'too many requests with a wrong token came from this address', {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}
