import type { IncomingMessage, ServerResponse } from 'node:http';
import { Exchange } from '../http/exchange.ts';
import type { Principal } from '../http/principal.ts';

/** An exchange as the pipeline would make it, from the address of its connection. */
export function createExchange(
  request: IncomingMessage,
  response: ServerResponse,
  principal?: Principal,
): Exchange {
  const exchange = new Exchange(request, response, {
    clientOf: ({ socket }) => ({ address: socket?.remoteAddress ?? '127.0.0.1', origin: '' }),
    prepare() {},
    requireValid() {},
  });
  exchange.principal = principal;
  return exchange;
}
