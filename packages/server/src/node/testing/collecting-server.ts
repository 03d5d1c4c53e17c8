import type { AddressInfo } from 'node:net';
import { createHttpServer } from '../http-server.ts';
import { timeouts } from '../timeouts.ts';

/** A server that collects all garbage after so many requests and says so, and tells its processor time when asked. */
const collectAfter = Number(process.argv[2]);
let count = 0;

const server = createHttpServer({
  onRequest(_request, response) {
    response.end('#');
    if (++count === collectAfter) setTimeout(collect, 100);
  },
  finishTurn() {},
  onParserError: (error) => {
    throw error;
  },
  onConnect: (_request, socket) => socket.destroy(),
  onSlowBody: (request) => request.destroy(),
  maxHeadBytes: 16 * 1024,
  keyPair: undefined,
  timeouts,
});

function collect(): void {
  globalThis.gc!();
  process.send!('collected');
}

server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send!(user + system);
});
