import http from 'node:http';
import net from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { longOnly, shortOnly } from '../../../../../testing/scale.ts';
import { createExchange } from '../../testing/create-exchange.ts';
import { listenLocally } from '../../testing/listen-locally.ts';
import { OpenExchanges } from '../open-exchanges.ts';
import { LoadShedder, type LoadShedderOptions } from './load-shedder.ts';

const maxLagMs = 30;
const maxLateMs = 300;
const read = { method: 'GET' } as http.IncomingMessage;
const write = { method: 'POST' } as http.IncomingMessage;
let open: OpenExchanges;

beforeEach(() => {
  open = new OpenExchanges();
});

/** A shedder that refuses nothing, except for what the test sets. */
function createShedder(options: Partial<LoadShedderOptions> = {}): LoadShedder {
  const shedder = new LoadShedder(open, {
    maxLagMs: 0,
    maxWaiting: 1_000,
    maxLateMs: 1_000,
    maxUnreadBytes: 2 ** 32,
    logger: pino({ level: 'silent' }),
    onShed() {},
    ...options,
  });
  onTestFinished(() => shedder.close());
  return shedder;
}

function refuses(shedder: LoadShedder, request: http.IncomingMessage): boolean {
  try {
    shedder.admit(createExchange(request, {} as http.ServerResponse));
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: 'overloaded' });
    return true;
  }
}

const strict = { maxLagMs, maxLateMs };
/** Does not mind an event loop that is late because of the machine. */
const calm = { maxLagMs: 600_000, maxLateMs };

/** Keeps the event loop late until a condition holds. */
async function strain(until: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!until() && performance.now() < deadline) {
    const start = performance.now();
    while (performance.now() - start < 5 * maxLagMs);
    await nextTurn();
  }
}

shortOnly(it)('turns requests away while the event loop stays late, and stops by itself', async () => {
  const shedder = createShedder(strict);
  await delay(300);
  expect(refuses(shedder, read)).toBe(false);
  await strain(() => refuses(shedder, read));
  expect(shedder.shedCount).toBeGreaterThan(0);
  await expect
    .poll(() => new Array(100).fill(0).some(() => refuses(shedder, read)), { timeout: 60_000 })
    .toBe(false);
});

/** A server that answers nothing, and what it was asked. */
async function silentServer(): Promise<{ port: number; responses: http.ServerResponse[] }> {
  const exchanges = open;
  const responses: http.ServerResponse[] = [];
  const server = http.createServer((request, response) => {
    const exchange = createExchange(request, response);
    exchanges.add(exchange);
    response.once('close', () => exchanges.remove(exchange));
    responses.push(response);
  });
  return { port: await listenLocally(server), responses };
}

function ask(port: number, request: string): net.Socket {
  const socket = net.connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined).resume();
  socket.write(request);
  return socket;
}

shortOnly(it)('turns requests away while too many wait, and counts what becomes of them', async () => {
  const shedder = createShedder({ ...calm, maxWaiting: 3 });
  const { port, responses } = await silentServer();
  const sockets = Array.from({ length: 4 }, () => ask(port, 'GET / HTTP/1.1\r\nHost: roster\r\n\r\n'));
  await expect.poll(() => open.count).toBe(4);
  await expect.poll(() => refuses(shedder, read)).toBe(true);
  expect(refuses(shedder, write)).toBe(false);
  responses[0]!.end('done');
  responses[1]!.end('done');
  await expect.poll(() => open.count).toBe(2);
  await expect.poll(() => refuses(shedder, read)).toBe(false);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => open.count).toBe(0);
});

shortOnly(it)('says once in the log that it refuses requests, and once that this is over', async () => {
  const messages: string[] = [];
  const logger = pino({}, { write: (line: string) => messages.push(JSON.parse(line).msg) });
  const shedder = createShedder({ ...calm, maxWaiting: 3, logger });
  const { port } = await silentServer();
  const sockets = Array.from({ length: 4 }, () => ask(port, 'GET / HTTP/1.1\r\nHost: roster\r\n\r\n'));
  await expect.poll(() => open.count).toBe(4);
  // All of them are from one address.
  await expect.poll(() => refuses(shedder, read)).toBe(true);
  await expect.poll(() => messages).toEqual(['overloaded: refusing requests']);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => messages).toEqual(['overloaded: refusing requests', 'no longer overloaded']);
});

shortOnly(it)('turns writes away while many have waited for long, and reads not', async () => {
  const shedder = createShedder(calm);
  const { port } = await silentServer();
  for (let count = 0; count < 40; count++) {
    ask(port, 'POST / HTTP/1.1\r\nHost: roster\r\nContent-Length: 2\r\n\r\n{}');
  }
  await expect.poll(() => refuses(shedder, write), { timeout: 60_000 }).toBe(true);
  expect(refuses(shedder, read)).toBe(false);
});

longOnly(it)('does not mind how long clients take to send', async () => {
  const shedder = createShedder(calm);
  const { port } = await silentServer();
  for (let count = 0; count < 40; count++) {
    ask(port, 'POST / HTTP/1.1\r\nHost: roster\r\nContent-Length: 2\r\n\r\n');
  }
  await expect.poll(() => open.count).toBe(40);
  await delay(3_000);
  expect(new Array(10).fill(write).some((request) => refuses(shedder, request))).toBe(false);
});

shortOnly(it)(
  'does not count those who wait for their client: unread answers and unfinished bodies',
  async () => {
    const shedder = createShedder({ ...calm, maxWaiting: 10 });
    const { port, responses } = await silentServer();
    for (let count = 0; count < 40; count++) {
      ask(port, 'POST / HTTP/1.1\r\nHost: roster\r\nContent-Length: 2\r\n\r\n');
      ask(port, 'GET / HTTP/1.1\r\nHost: roster\r\n\r\n').pause();
    }
    await expect.poll(() => responses.length).toBe(80);
    const body = Buffer.alloc(1 << 24);
    for (const response of responses) if (response.req.method === 'GET') response.end(body);
    await delay(200);
    expect(open.count).toBe(80);
    expect([refuses(shedder, read), refuses(shedder, write)]).toEqual([false, false]);
  },
);

shortOnly(it.runIf(process.platform === 'linux'))(
  'turns away only those whose own share is used up',
  async () => {
    const shedder = createShedder({ ...calm, maxWaiting: 10 });
    const { port, responses } = await silentServer();
    const from = (localAddress: string) => {
      const socket = net.connect({ port, host: '127.0.0.1', localAddress });
      onTestFinished(() => void socket.destroy());
      socket.write('GET / HTTP/1.1\r\nHost: roster\r\n\r\n');
    };
    for (let count = 0; count < 6; count++) from('127.0.0.2');
    from('127.0.0.3');
    await expect.poll(() => responses.length).toBe(7);
    const requestOf = (address: string) =>
      responses.find(({ req }) => req.socket.remoteAddress === address)!.req;
    expect(refuses(shedder, requestOf('127.0.0.2'))).toBe(true);
    expect(refuses(shedder, requestOf('127.0.0.3'))).toBe(false);
  },
);

shortOnly(it)('closes the oldest connections when too much of their answers stays unread', async () => {
  createShedder({ maxUnreadBytes: 2 ** 26 });
  const { port, responses } = await silentServer();
  const sockets: net.Socket[] = [];
  for (let count = 0; count < 4; count++) {
    const socket = ask(port, 'GET / HTTP/1.1\r\nHost: roster\r\n\r\n');
    socket.pause();
    sockets.push(socket);
    await expect.poll(() => responses.length).toBe(count + 1);
  }
  for (const response of responses) response.end(Buffer.alloc(12 * 2 ** 20));
  await expect.poll(() => responses[0]!.destroyed, { timeout: 60_000 }).toBe(true);
  await delay(600);
  expect(responses[3]!.destroyed).toBe(false);
});
