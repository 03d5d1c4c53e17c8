import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { responseUnderWay } from './response-under-way.ts';

export interface KeepAlive {
  /** How long connections may be idle. */
  readonly keepAliveMs: number;
  readonly isDraining: () => boolean;
}

/** Sets `Keep-Alive`, which Node.js does only if it closes idle connections itself. */
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
