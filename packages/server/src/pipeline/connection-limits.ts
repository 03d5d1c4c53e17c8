import type { Server, Socket } from 'node:net';
import type { Logger } from 'pino';
import { addressKey } from '../limits/address-key.ts';
import { Shares } from '../limits/shares.ts';

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
  const shares = new Shares(max);
  const byAddress = new Map<string, Set<Socket>>();
  const report = createReport(logger);
  let total = 0;
  const close = (socket: Socket) => {
    report(socket.remoteAddress);
    socket.destroy();
  };
  const makeRoomFor = (newcomer: string | undefined): boolean => {
    const largest = shares.largest();
    if (largest === undefined) return false;
    if (newcomer !== undefined && shares.of(largest) <= shares.of(newcomer)) return false;
    const [oldest] = byAddress.get(largest)!;
    close(oldest!);
    return true;
  };
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    const isCounted = remoteAddress !== undefined && !isProxy(remoteAddress);
    const owner = isCounted ? addressKey(remoteAddress) : undefined;
    total++;
    if (owner !== undefined) shares.hold(owner);
    socket.once('close', () => {
      total--;
      if (owner === undefined) return;
      shares.release(owner);
      byAddress.get(owner)?.delete(socket);
      if (shares.of(owner) === 0) byAddress.delete(owner);
    });
    const isOver = owner !== undefined && shares.isOwnerOver(owner);
    if (isOver || (total > max && !makeRoomFor(owner))) close(socket);
    else if (owner !== undefined) byAddress.getOrInsertComputed(owner, () => new Set()).add(socket);
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
