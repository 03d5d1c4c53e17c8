import { connect, type Socket } from 'node:net';
import type { WatchersReport } from '../../findings.ts';
import { percentile } from '../../statistics.ts';

export type WatchersMessage =
  | { open: { readonly port: number; readonly path: string; readonly count: number; readonly idle: number } }
  | { report: true };

/** Child process: many streams of one station, some of which are not read after the start. */
const lagsMs: number[] = [];
const sockets: Socket[] = [];

function open(port: number, path: string, isIdle: boolean): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(port, '127.0.0.1', () => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n`);
  });
  sockets.push(socket);
  let rest = '';
  socket.setEncoding('latin1');
  socket.once('error', reject);
  socket.once('data', () => {
    resolve();
    if (isIdle) socket.pause();
  });
  socket.on('data', (text: string) => {
    const events = (rest + text).split('\n\n');
    rest = events.pop()!;
    for (const event of events) {
      const sentAt = /"sku":"(\d{13})"/.exec(event)?.[1];
      if (sentAt !== undefined) lagsMs.push(Date.now() - Number(sentAt));
    }
  });
  return promise;
}

async function answer(message: WatchersMessage): Promise<object> {
  if ('open' in message) {
    const { port, path, count, idle } = message.open;
    for (let at = 0; at < count; at++) await open(port, path, at < idle);
    return { opened: sockets.length };
  }
  return {
    lagP50Ms: percentile(lagsMs, 0.5),
    lagP99Ms: percentile(lagsMs, 0.99),
    lagMaxMs: percentile(lagsMs, 1),
    events: lagsMs.length,
  } satisfies WatchersReport;
}

process.once('disconnect', () => process.exit());
process.on('message', (message: WatchersMessage) => {
  answer(message).then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ failed: error.message }),
  );
});
