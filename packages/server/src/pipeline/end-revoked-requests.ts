import { RosterError } from '@roster/contract';
import { type Authenticator, noLongerValid } from '../access/authenticator.ts';
import type { Exchange } from '../http/exchange.ts';
import type { OpenExchanges } from './open-exchanges.ts';

/** How often callers of open requests are checked. */
const checkMs = 1_000;

type Refuse = (exchange: Exchange, error: RosterError) => void;

/** Ends open requests whose caller has lost access. Returns how to stop. */
export function endRevokedRequests(
  open: OpenExchanges,
  authenticator: Authenticator,
  refuse: Refuse,
): () => void {
  const cutOff = (exchange: Exchange) => {
    if (exchange.response.headersSent) exchange.response.destroy();
    else if (exchange.isArriving) {
      exchange.response.shouldKeepAlive = false;
      refuse(exchange, noLongerValid());
    }
    // What has all of its body is about to be done, and has checked for itself.
  };
  const timer = setInterval(() => {
    for (const exchange of open) {
      const { principal, onRevoked } = exchange;
      if (principal === undefined || authenticator.isValid(principal)) continue;
      if (onRevoked === undefined) cutOff(exchange);
      else onRevoked();
    }
  }, checkMs).unref();
  return () => clearInterval(timer);
}

/** Refuses requests whose body is still arriving. */
export function refuseUnfinished(open: OpenExchanges, refuse: Refuse): void {
  for (const exchange of open) {
    if (exchange.response.headersSent || !exchange.isArriving) continue;
    refuse(exchange, new RosterError('shutting_down', 'the server is shutting down; nothing was written'));
  }
}
