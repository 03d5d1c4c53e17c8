import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { listenLocally } from '../testing/listen-locally.ts';
import { gatherBody } from './gather-body.ts';

async function gathering(listener: RequestListener): Promise<net.Socket> {
  const server = http.createServer((request, response) => {
    gatherBody(request);
    listener(request, response);
  });
  const socket = net.connect(await listenLocally(server), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.setNoDelay(true);
  socket.write('POST / HTTP/1.1\r\nHost: roster\r\nTransfer-Encoding: chunked\r\n\r\n');
  await once(socket, 'connect');
  return socket;
}

const chunk = (content: string) => `${content.length.toString(16)}\r\n${content}\r\n`;

it('hands many chunks on as few', async () => {
  let pieces = 0;
  const socket = await gathering(async (request, response) => {
    for await (const _piece of request) pieces++;
    response.end('read');
  });
  socket.write(`${chunk('x').repeat(50_000)}0\r\n\r\n`);
  await once(socket, 'data');
  expect(pieces).toBeGreaterThan(0);
  expect(pieces).toBeLessThan(500);
});

it('hands a small chunk on at once when nothing is before it', async () => {
  const socket = await gathering(async (request, response) => {
    for await (const piece of request) response.write(piece);
    response.end();
  });
  const answers = socket.setEncoding('utf8');
  socket.write(chunk('first'));
  expect((await once(answers, 'data'))[0]).toContain('first');
  socket.write(chunk('second'));
  expect((await once(answers, 'data'))[0]).toContain('second');
  socket.write('0\r\n\r\n');
  await once(answers, 'data');
});

it('stops reading where nobody takes the body, and goes on where someone does', async () => {
  const size = 200_000;
  const taken = Promise.withResolvers<string>();
  const start = Promise.withResolvers<number>();
  const socket = await gathering(async (request, response) => {
    await delay(500);
    start.resolve(request.readableLength);
    taken.resolve(await text(request));
    response.end('read');
  });
  socket.write(`${chunk('x').repeat(size)}0\r\n\r\n`);
  expect(await start.promise).toBeLessThanOrEqual(80 * 1024);
  expect((await taken.promise).length).toBe(size);
});

it('changes no byte, however a body is cut and whenever it is read', async () => {
  const body = fc.array(fc.tuple(fc.integer({ min: 1, max: 20_000 }), fc.boolean()), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(body, fc.array(fc.boolean(), { minLength: 1 }), async (cuts, pauses) => {
      const read = Promise.withResolvers<string>();
      const socket = await gathering(async (request, response) => {
        let content = '';
        let at = 0;
        for await (const piece of request) {
          content += piece;
          if (pauses[at++ % pauses.length]) await delay(0);
        }
        response.end();
        read.resolve(content);
      });
      let sent = '';
      for (const [length, isWaited] of cuts) {
        const content = String.fromCharCode(65 + (sent.length % 26)).repeat(length);
        sent += content;
        socket.write(chunk(content));
        if (isWaited) await delay(0);
      }
      socket.write('0\r\n\r\n');
      expect(await read.promise).toBe(sent);
      socket.destroy();
    }),
    { numRuns: 50 },
  );
});
