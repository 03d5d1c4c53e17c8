import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { responseUnderWay } from './response-under-way.ts';

export interface KeepAlive {
  /** How long connections may rest, as clients are told. */
  readonly keepAliveMs: number;
  /** Whether connections end with their next response. */
  readonly isDraining: () => boolean;
}

/** Says in the headers what becomes of the connection. Node.js would say so only if it ended idle connections itself. */
export function announceKeepAlive(response: ServerResponse, { keepAliveMs, isDraining }: KeepAlive): void {
  if (isDraining()) response.shouldKeepAlive = false;
  if (response.shouldKeepAlive) {
    response.setHeader('Keep-Alive', `timeout=${Math.floor(keepAliveMs / 1000)}`);
  }
}

/** Ends a connection unless it has another request to answer. */
export function endIfIdle(socket: Socket): void {
  if (responseUnderWay(socket) === undefined) socket.end();
}
