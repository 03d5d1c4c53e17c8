import type { IncomingMessage } from 'node:http';
import { quote, RosterError } from '@roster/contract';
import { isLoopback } from '../http/is-loopback.ts';

/**
 * Keeps pages of the web away from a server that asks nobody who they are. Such a page can make its own name
 * stand for 127.0.0.1, but then the browser still says that name in `Host`.
 */
export class HostCheck {
  readonly #allowed: ReadonlySet<string>;
  #lastAllowed: string | undefined;

  constructor(allowedHosts: readonly string[]) {
    this.#allowed = new Set(allowedHosts.map((name) => name.toLowerCase()));
  }

  /** Throws where the request was meant for another host. One without `Host` is from no browser. */
  check({ headers: { host } }: IncomingMessage): void {
    if (host === this.#lastAllowed || host === undefined) return;
    const name = nameOf(host);
    if (!isLoopback(name) && !this.#allowed.has(name)) {
      const message = `this server is not ${quote(host)}; call it localhost, or add the name to allowedHosts`;
      throw new RosterError('misdirected_request', message, { parameter: 'Host' });
    }
    this.#lastAllowed = host;
  }
}

/** `[::1]:8080` and `localhost:8080` without port and brackets. */
function nameOf(host: string): string {
  const [, bracketed, plain = host] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? [];
  return (bracketed ?? plain).toLowerCase();
}
