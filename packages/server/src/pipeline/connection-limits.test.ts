import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { type ConnectionLimitOptions, limitConnections } from './connection-limits.ts';

interface LimitedServer {
  readonly port: number;
  /** Whether it keeps a connection, by the address and port of the client. */
  isKept(client: string): Promise<boolean>;
}

async function limited(options: Omit<ConnectionLimitOptions, 'logger'>): Promise<LimitedServer> {
  const decisions = new Map<string, PromiseWithResolvers<boolean>>();
  const decisionOn = (client: string) =>
    decisions.getOrInsertComputed(client, () => Promise.withResolvers<boolean>());
  const server = net.createServer((socket) => {
    const { resolve } = decisionOn(`${socket.remoteAddress}:${socket.remotePort}`);
    socket.on('error', () => undefined).write('hello');
    queueMicrotask(() => resolve(!socket.destroyed));
  });
  limitConnections(server, { ...options, logger: pino({ level: 'silent' }) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { port, isKept: (client) => decisionOn(client).promise };
}

/** A connection that the server keeps. */
async function connect(
  { port, isKept }: LimitedServer,
  localAddress: string,
): Promise<net.Socket | undefined> {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress });
  onTestFinished(() => void socket.destroy());
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  if (await isKept(`${localAddress}:${socket.localPort}`)) return socket;
  await closed;
  return undefined;
}

it('closes connections beyond the number that there may be', async () => {
  const server = await limited({ max: 2, isProxy: () => true });
  const first = await connect(server, '127.0.0.1');
  expect(first).toBeDefined();
  expect(await connect(server, '127.0.0.1')).toBeDefined();
  expect(await connect(server, '127.0.0.1')).toBeUndefined();
  first!.destroy();
  await expect.poll(() => connect(server, '127.0.0.1')).toBeDefined();
});

it.runIf(process.platform === 'linux')('leaves half of them to others', async () => {
  const server = await limited({ max: 4, isProxy: () => false });
  const one = await connect(server, '127.0.0.2');
  expect(one).toBeDefined();
  expect(await connect(server, '127.0.0.2')).toBeDefined();
  expect(await connect(server, '127.0.0.2')).toBeUndefined();
  expect(await connect(server, '127.0.0.3')).toBeDefined();
  one!.destroy();
  await expect.poll(() => connect(server, '127.0.0.2')).toBeDefined();
});

it.runIf(process.platform === 'linux')('takes a place from whoever has most when all are taken', async () => {
  const server = await limited({ max: 4, isProxy: () => false });
  const oldest = await connect(server, '127.0.0.2');
  const others = [await connect(server, '127.0.0.2'), await connect(server, '127.0.0.3')];
  const last = await connect(server, '127.0.0.4');
  const newcomer = await connect(server, '127.0.0.5');
  await expect.poll(() => oldest!.destroyed).toBe(true);
  expect([...others, last, newcomer].map((socket) => socket?.destroyed)).toEqual(new Array(4).fill(false));
  // Now everyone has one, and nobody has to give it up.
  others[0]!.destroy();
  await expect.poll(() => connect(server, '127.0.0.6')).toBeDefined();
  expect(await connect(server, '127.0.0.7')).toBeUndefined();
});

it.runIf(process.platform === 'linux')(
  'does not count the connections of a proxy, which has many clients',
  async () => {
    const server = await limited({ max: 4, isProxy: (address) => address === '127.0.0.2' });
    for (let count = 0; count < 4; count++) expect(await connect(server, '127.0.0.2')).toBeDefined();
    expect(await connect(server, '127.0.0.2')).toBeUndefined();
  },
);
