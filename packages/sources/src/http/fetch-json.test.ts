import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { endpointAt, fakeServer, sendJson } from '../testing/fake-server.ts';
import { fetchJson } from './fetch-json.ts';

const path1 = { path: '/x' };

describe('fetchJson', () => {
  it('gets JSON, and sends a form as a POST', async () => {
    const endpoint = await fakeServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => sendJson(response, [request.method, request.url, body]));
    });
    expect(await fetchJson(endpoint, { path: '/a?b=c' })).toEqual(['GET', '/a?b=c', '']);
    const form = new URLSearchParams([['match[]', 'up{a="ü"}']]);
    expect(await fetchJson(endpoint, { path: '/a', form })).toEqual([
      'POST',
      '/a',
      'match%5B%5D=up%7Ba%3D%22%C3%BC%22%7D',
    ]);
  });

  it.each<[string, Parameters<typeof fakeServer>[0], RegExp]>([
    ['nothing', (request) => request.socket.destroy(), /broke off the connection/],
    [
      'another protocol',
      ({ socket }) => void socket.end('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
      /broke off the connection/,
    ],
    ['no end', (_, response) => void response.write('{"a":'), /did not answer within 1 s/],
    [
      'half a body',
      (request, response) => {
        response.writeHead(200, { 'Content-Length': 100 });
        response.write('{"a":');
        setTimeout(() => request.socket.destroy(), 20);
      },
      /broke off/,
    ],
    [
      'HTML',
      (_, response) => response.setHeader('Content-Type', 'text/html').end('<html>'),
      /answered with "text\/html" that is not JSON/,
    ],
    [
      'an error',
      (_, response) => {
        response.statusCode = 503;
        sendJson(response, { status: 'error', error: 'starting up' });
      },
      /answered 503: "starting up"/,
    ],
    [
      'an error in HTML',
      (_, response) => {
        response.statusCode = 500;
        response.end('<h1>no</h1>');
      },
      /answered 500$/,
    ],
    [
      'that it has no such page',
      (_, response) => {
        response.statusCode = 404;
        sendJson(response, 'not here');
      },
      /answered 404 at \/x; is it the right server, and does its url end before \/api\?$/,
    ],
    [
      'a redirect',
      (_, response) => {
        response.writeHead(302, { Location: 'http://169.254.169.254/' }).end();
      },
      /redirects are not followed/,
    ],
    [
      'an encoding that was not asked for',
      (_, response) => {
        response.setHeader('Content-Encoding', 'gzip');
        sendJson(response, {});
      },
      /answered with the encoding "gzip"/,
    ],
  ])('reports %s', async (_, answer, expected) => {
    await expect(fetchJson(await fakeServer(answer), path1)).rejects.toMatchObject({
      name: 'SourceFailure',
      message: expect.stringMatching(expected),
    });
  });

  it('takes no memory for 300 MB', async () => {
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    const endless = await fakeServer((_, response) => {
      Readable.from(Array.from({ length: 300 }, () => chunk)).pipe(response);
    });
    const announced = await fakeServer((_, response) => {
      response.writeHead(200, { 'Content-Length': 300 * 1024 * 1024 });
      response.write(chunk);
    });
    const before = process.memoryUsage().rss;
    for (const endpoint of [endless, announced]) {
      const patient = { ...endpoint, timeoutMs: 30_000 };
      await expect(fetchJson(patient, path1)).rejects.toThrow('answered with more than 67108864 bytes');
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 * 1024);
  });

  it('says what is wrong with the address', async () => {
    await expect(fetchJson(endpointAt('http://127.0.0.1:9'), path1)).rejects.toThrow('refuses connections');
    await expect(fetchJson(endpointAt('http://no-such-host.invalid'), path1)).rejects.toThrow('host name');
  });

  it.each([
    'http://169.254.169.254',
    'http://[fe80::1]',
    'http://[::ffff:169.254.169.254]',
    'http://[fd00:ec2::254]',
    'http://100.100.100.200',
    'http://0xA9FEA9FE',
    'http://2852039166',
  ])('does not ask %s', async (url) => {
    await expect(fetchJson(endpointAt(url), path1)).rejects.toThrow('a link-local or metadata address');
  });

  it('authenticates, and never repeats the secret', async () => {
    const directory = mkdtempSync(path.join(os.tmpdir(), 'roster-sources-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const file = path.join(directory, 'secret');
    writeFileSync(file, 'hunter2\n');
    const endpoint = await fakeServer((request, response) => {
      if (request.headers.authorization === undefined) response.statusCode = 401;
      sendJson(response, request.headers.authorization ?? null);
    });
    const withBearer = { ...endpoint, auth: { bearer: { file } } };
    expect(await fetchJson(withBearer, path1)).toBe('Bearer hunter2');
    writeFileSync(file, 'rotated');
    expect(await fetchJson(withBearer, path1)).toBe('Bearer rotated');
    const basic = { ...endpoint, auth: { username: 'u', password: { file } } };
    expect(await fetchJson(basic, path1)).toBe(`Basic ${btoa('u:rotated')}`);
    writeFileSync(file, 'hunter2\nhunter3');
    const failure = await fetchJson(withBearer, path1).catch((error: Error) => error);
    expect(String(failure)).toContain('must hold one line of printable characters');
    expect(String(failure)).not.toContain('hunter');
  });
});
