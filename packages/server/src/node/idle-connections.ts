import type { Server, ServerResponse } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { responseUnderWay } from './response-under-way.ts';

interface Idleness {
  bytesRead: number;
  /** When it was first seen idle; undefined while it is not. */
  sinceMs: number | undefined;
}

const looksPerTime = 20;

/**
 * Closes connections that are idle, or whose client does not read. Looks at all connections from time to time: the
 * timers of Node.js are reset several times per request, a tenth of the cost of a list.
 */
export function endIdleConnections(
  server: Server,
  { keepAliveMs, stallMs }: { readonly keepAliveMs: number; readonly stallMs: number },
): void {
  const connections = new Map<Socket, Idleness>();
  const add = (socket: Socket) => {
    connections.set(socket, { bytesRead: 0, sinceMs: undefined });
    socket.once('close', () => connections.delete(socket));
  };
  const look = () => {
    const nowMs = performance.now();
    for (const [socket, idleness] of connections) {
      watchStall(socket, stallMs);
      const { bytesRead } = socket;
      if (responseUnderWay(socket) !== undefined) idleness.sinceMs = undefined;
      else if (idleness.sinceMs === undefined || bytesRead !== idleness.bytesRead) idleness.sinceMs = nowMs;
      else if (nowMs - idleness.sinceMs >= keepAliveMs) socket.destroy();
      idleness.bytesRead = bytesRead;
    }
  };
  const timer = setInterval(look, Math.min(keepAliveMs, stallMs) / looksPerTime).unref();
  server.on(connectionEvent(server), add);
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0) socket.destroy();
  });
  server.on('close', () => clearInterval(timer));
}

/** Only a connection with unread bytes has a timer. Node.js resets it when the client reads some. */
function watchStall(socket: Socket, stallMs: number): void {
  const isWaiting = socket.writableLength > 0;
  const isWatched = (socket.timeout ?? 0) > 0;
  if (isWaiting !== isWatched) socket.setTimeout(isWaiting ? stallMs : 0);
}

/** The event of a connection that can send requests. */
export function connectionEvent(server: Server): 'connection' | 'secureConnection' {
  return server instanceof https.Server ? 'secureConnection' : 'connection';
}

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
