import type { Server, Socket } from 'node:net';
import type { Logger } from 'pino';
import { addressKey } from '../quotas/address-key.ts';

export interface ConnectionLimitOptions {
  /** The maximum number of connections. One address may have half of them. */
  readonly max: number;
  /** Proxies stand for many clients and have no limit of their own. */
  readonly isProxy: (address: string) => boolean;
  readonly logger: Logger;
}

const reportMs = 10_000;

/**
 * Closes excess connections without an answer, which costs least. When all are taken, the address with most connections
 * loses its oldest to a new one of another address.
 */
export function limitConnections(server: Server, options: ConnectionLimitOptions): void {
  const { max, isProxy, logger } = options;
  const byAddress = new Map<string, Set<Socket>>();
  const report = createReport(logger);
  let total = 0;
  const close = (socket: Socket) => {
    report(socket.remoteAddress);
    socket.destroy();
  };
  const makeRoomFor = (own: ReadonlySet<Socket> | undefined): boolean => {
    let largest: ReadonlySet<Socket> = own ?? new Set();
    for (const sockets of byAddress.values()) if (sockets.size > largest.size) largest = sockets;
    if (largest === own || largest.size === 0) return false;
    const [oldest] = largest;
    close(oldest!);
    return true;
  };
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    const isCounted = remoteAddress !== undefined && !isProxy(remoteAddress);
    const owner = isCounted ? addressKey(remoteAddress) : undefined;
    const own = owner === undefined ? undefined : byAddress.getOrInsertComputed(owner, () => new Set());
    total++;
    own?.add(socket);
    socket.once('close', () => {
      total--;
      own?.delete(socket);
      if (own?.size === 0) byAddress.delete(owner!);
    });
    const isOver = own !== undefined && own.size > Math.ceil(max / 2);
    if (isOver || (total > max && !makeRoomFor(own))) close(socket);
  });
}

/** Logs one line per interval. */
function createReport(logger: Logger): (address: string | undefined) => void {
  let closed = 0;
  return (address) => {
    if (++closed > 1) return;
    setTimeout(() => {
      logger.warn({ closed, first_address: address }, 'connections closed: there were too many');
      closed = 0;
    }, reportMs).unref();
  };
}
