import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { listenLocally } from '../testing/listen-locally.ts';
import { readChunks } from './read-chunks.ts';

/** A client of a server that reads with `read` and answers with what it returns. */
async function connect(read: (request: IncomingMessage) => Promise<string>): Promise<net.Socket> {
  const server = http.createServer(async (request, response) => {
    response.end(await read(request));
  });
  const socket = net.connect(await listenLocally(server), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket.setNoDelay(true).setEncoding('utf8');
}

const post = (headers: string) => `POST / HTTP/1.1\r\nHost: roster\r\n${headers}\r\n\r\n`;
const nextAnswer = async (socket: net.Socket) => ((await once(socket, 'data')) as [string])[0];

it('reads bodies that arrive at once, in pieces and without any bytes, on one connection', async () => {
  const socket = await connect(async (request) => {
    const body = await text(readChunks(request));
    return `<${body.length}: ${body.slice(0, 6)}>`;
  });
  for (const body of ['hello', 'large '.repeat(50_000), '']) {
    socket.write(`${post(`Content-Length: ${body.length}`)}${body}`);
    expect(await nextAnswer(socket)).toContain(`<${body.length}: ${body.slice(0, 6)}>`);
  }
  socket.write(post('Content-Length: 6'));
  for (const letter of 'pieces') {
    await sleep(5);
    socket.write(letter);
  }
  expect(await nextAnswer(socket)).toContain('<6: pieces>');
  socket.write(`${post('Transfer-Encoding: chunked')}3\r\nabc\r\n`);
  await sleep(5);
  socket.write('3\r\ndef\r\n0\r\n\r\n');
  expect(await nextAnswer(socket)).toContain('<6: abcdef>');
});

it('yields what has arrived while more is to come', async () => {
  const arrived = Promise.withResolvers<string>();
  const socket = await connect(async (request) => {
    for await (const chunk of readChunks(request)) arrived.resolve(String(chunk));
    return 'done';
  });
  socket.write(`${post('Content-Length: 9')}first`);
  expect(await arrived.promise).toBe('first');
  socket.write('last');
  expect(await nextAnswer(socket)).toContain('done');
});

it('leaves a request open whose reader stops early', async () => {
  const socket = await connect(async (request) => {
    for await (const _ of readChunks(request)) break;
    request.resume();
    return 'enough';
  });
  socket.write(`${post('Content-Length: 9')}first`);
  expect(await nextAnswer(socket)).toContain('enough');
  socket.write('last');
  socket.write(`${post('Content-Length: 3')}abc`);
  expect(await nextAnswer(socket)).toContain('enough');
});

it('rejects when the client leaves in the middle', async () => {
  const failed = Promise.withResolvers<unknown>();
  const socket = await connect(async (request) => {
    await text(readChunks(request)).catch(failed.resolve);
    return '';
  });
  socket.write(`${post('Content-Length: 9')}first`);
  await sleep(20);
  socket.destroy();
  expect(await failed.promise).toBeInstanceOf(Error);
});
