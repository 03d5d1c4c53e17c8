import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Client, checkProxies, TrustedProxies } from './trusted-proxies.ts';

/** The client of a request over a real connection from 127.0.0.1. */
async function clientFor(trustProxy: boolean | string[], headers: Record<string, string>): Promise<Client> {
  const { clientOf } = new TrustedProxies(trustProxy);
  const found = Promise.withResolvers<IncomingMessage>();
  const server = http.createServer((request, response) => {
    found.resolve(request);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const options = { port, host: '127.0.0.1', headers: { Host: 'inside', ...headers }, agent: false };
  http.get(options, (response) => response.resume());
  return clientOf(await found.promise);
}

const addressFor = async (trustProxy: boolean | string[], forwarded: string) =>
  (await clientFor(trustProxy, { 'X-Forwarded-For': forwarded })).address;

const claims = {
  'X-Forwarded-For': '192.0.2.1',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Host': 'roster.example.com',
};

describe('a client', () => {
  it('is the peer of the connection, whatever the headers say, unless that is a trusted proxy', async () => {
    const direct = { address: '127.0.0.1', origin: 'http://inside' };
    expect(await clientFor(false, claims)).toEqual(direct);
    expect(await clientFor(['10.0.0.0/8', '::1'], claims)).toEqual(direct);
  });

  it('is who the trusted proxy says it is', async () => {
    const told = { address: '192.0.2.1', origin: 'https://roster.example.com' };
    expect(await clientFor(true, claims)).toEqual(told);
    expect(await clientFor(['127.0.0.1'], claims)).toEqual(told);
    expect(await clientFor(['127.0.0.0/8'], claims)).toEqual(told);
    expect(await clientFor(true, {})).toEqual({ address: '127.0.0.1', origin: 'http://inside' });
  });

  it('is the nearest address that is no proxy: anyone can forge those before it', async () => {
    const proxies = ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'];
    expect(await addressFor(proxies, '203.0.113.9, 192.0.2.1, 10.1.2.3')).toBe('192.0.2.1');
    expect(await addressFor(proxies, '203.0.113.9, 2001:db8::7')).toBe('203.0.113.9');
    expect(await addressFor(proxies, '10.0.0.1, 10.0.0.2')).toBe('10.0.0.1');
    expect(await addressFor(true, '203.0.113.9, 192.0.2.1')).toBe('203.0.113.9');
  });

  it('may be given with a port, and must be an address', async () => {
    expect(await addressFor(['127.0.0.1'], '192.0.2.1:4711')).toBe('192.0.2.1');
    expect(await addressFor(['127.0.0.1'], '[2001:db8::1]:4711')).toBe('2001:db8::1');
    expect(await addressFor(['127.0.0.1'], '::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(await addressFor(['127.0.0.1', '10.0.0.0/8'], '192.0.2.1, 10.0.0.1:80')).toBe('192.0.2.1');
    expect(await addressFor(['127.0.0.1'], '192.0.2.1, unknown')).toBe('127.0.0.1');
    expect(await addressFor(['127.0.0.1'], ' , ,')).toBe('127.0.0.1');
    expect((await clientFor(true, { 'X-Forwarded-Proto': 'gopher' })).origin).toBe('http://inside');
  });
});

it('proxies are addresses and networks in the usual notation', () => {
  expect(checkProxies(true)).toBeUndefined();
  expect(checkProxies(['10.0.0.0/8', '192.0.2.1', '::1', 'fd00::/8'])).toBeUndefined();
  const invalid = ['10.0.0.0/33', '::/129', 'proxy.example', '10.0.0', '/8', '10.0.0.1/', ''];
  for (const wrong of [...invalid, '8', '010.0.0.1', 'loopback', '10.0.0.0/255.0.0.0']) {
    expect(checkProxies(['10.0.0.1', wrong])).toContain(JSON.stringify(wrong));
  }
});
