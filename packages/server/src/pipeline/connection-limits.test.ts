import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { type ConnectionLimitOptions, limitConnections } from './connection-limits.ts';

async function limited(options: Omit<ConnectionLimitOptions, 'logger'>): Promise<net.Server> {
  const server = net.createServer((socket) => socket.on('error', () => undefined).write('hello'));
  limitConnections(server, { ...options, logger: pino({ level: 'silent' }) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return server;
}

/** Whether the server keeps the connection. */
async function connect(server: net.Server, localAddress: string): Promise<net.Socket | undefined> {
  const { port } = server.address() as AddressInfo;
  const socket = net.connect({ port, host: '127.0.0.1', localAddress });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => undefined);
  // What is refused by address may have been greeted before.
  await new Promise((resolve) => setTimeout(resolve, 50));
  return socket.destroyed || socket.readableEnded ? undefined : socket;
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
