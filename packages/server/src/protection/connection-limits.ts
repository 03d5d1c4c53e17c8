import type { DropArgument, Server, Socket } from 'node:net';
import type { Logger } from 'pino';
import { addressKey } from './address-key.ts';

export interface ConnectionLimitOptions {
  /** How many connections there may be. One address may have half of them, so that it cannot shut others out. */
  readonly max: number;
  /** Whether an address is that of a proxy, behind which there are many clients. */
  readonly isProxy: (address: string) => boolean;
  readonly logger: Logger;
}

const reportMs = 10_000;

/** Closes connections that are too many at once, without an answer: that costs least, and there may be thousands. */
export function limitConnections(server: Server, options: ConnectionLimitOptions): void {
  const openByAddress = new Map<string, number>();
  const maxPerAddress = Math.ceil(options.max / 2);
  const report = createReport(options.logger);
  server.maxConnections = options.max;
  server.on('drop', (refused?: DropArgument) => report(refused?.remoteAddress));
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || options.isProxy(remoteAddress)) return;
    const key = addressKey(remoteAddress);
    const open = openByAddress.get(key) ?? 0;
    if (open >= maxPerAddress) {
      report(remoteAddress);
      socket.destroy();
      return;
    }
    openByAddress.set(key, open + 1);
    socket.once('close', () => {
      const left = openByAddress.get(key)! - 1;
      if (left === 0) openByAddress.delete(key);
      else openByAddress.set(key, left);
    });
  });
}

/** One line for all that happens within some seconds. */
function createReport(logger: Logger): (address: string | undefined) => void {
  let refused = 0;
  return (address) => {
    refused++;
    if (refused > 1) return;
    const timer = setTimeout(() => {
      logger.warn({ refused, first_address: address }, 'connections refused: there were too many');
      refused = 0;
    }, reportMs);
    timer.unref();
  };
}
