import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ask } from '../../testing/ask.ts';
import { TestServer } from '../../testing/test-server.ts';

let directory: string;
let server: TestServer;
const page = { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'roster-console-'));
  server = await TestServer.start({}, directory);
});

afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

async function build(text: string): Promise<void> {
  await mkdir(path.join(directory, 'assets'), { recursive: true });
  const script = `console.log(${JSON.stringify(text)});`;
  await writeFile(path.join(directory, 'assets/index-1a2b.js'), script);
  await writeFile(path.join(directory, 'assets/index-1a2b.js.gz'), gzipSync(script));
  await writeFile(path.join(directory, 'index.html'), `<!doctype html><title>${text}</title>`);
}

const pages = [
  '/',
  '/stations',
  '/stations/a/b/c/d',
  '/stations/a%20b/b/c/d',
  '/stations/a/b/c/d/import?x=1',
  '/import',
  '/types',
  '/sources',
  '/tokens',
  '/resources',
  '/signed-in',
  '/about',
];

it(`shows the console at ${pages.join(', ')}, never from a cache without asking`, async () => {
  await build('console');
  for (const where of pages) {
    const response = await fetch(server.url + where, page);
    expect([where, response.status, await response.text()]).toEqual([
      where,
      200,
      '<!doctype html><title>console</title>',
    ]);
    expect([where, response.headers.get('cache-control')]).toEqual([where, 'no-cache']);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'self'; (?!.*unsafe)/);
  }
});

it('sends what pages are made of compressed, to be kept for ever', async () => {
  await build('script');
  const response = await fetch(`${server.url}/assets/index-1a2b.js`);
  expect(await response.text()).toBe('console.log("script");');
  expect(response.headers.get('content-encoding')).toBe('gzip');
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const plain = await fetch(`${server.url}/assets/index-1a2b.js`, {
    headers: { 'Accept-Encoding': 'identity' },
  });
  expect([plain.headers.get('content-encoding'), plain.headers.get('content-length')]).toEqual([null, '22']);
});

it('answers HEAD with the headers alone', async () => {
  await build('console');
  const response = await fetch(server.url, { ...page, method: 'HEAD' });
  expect([response.status, await response.text()]).toEqual([200, '']);
});

it('tells programs at / what there is, and at other pages that there is nothing', async () => {
  await build('console');
  const overview = await fetch(server.url, { headers: { Accept: 'application/json' } });
  expect(await overview.json()).toEqual({
    name: 'roster',
    version: '0.1.0',
    docs: '/docs',
    openapi: '/openapi.json',
  });
  for (const where of ['/types', '/stations/a/b/c/d']) {
    const response = await fetch(server.url + where);
    expect([where, response.status]).toEqual([where, 404]);
    expect(await response.json()).toMatchObject({ code: 'route_not_found' });
  }
});

it('keeps to its own paths and methods, and to its own directory', async () => {
  await build('console');
  for (const where of [
    '/index.html',
    '/roster',
    '/monitor/v1/nope',
    '/assets/nope.js',
    '/assets/..%2findex.html',
    '/roster/v1/x',
  ]) {
    const response = await fetch(server.url + where, page);
    expect([where, response.status]).toEqual([where, 404]);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  }
  expect((await fetch(server.url, { ...page, method: 'POST' })).status).toBe(404);
});

it('shows people who mistype a path that the console has no such page, and programs a problem', async () => {
  await build('console');
  for (const where of ['/nope', '/nope/nope', '/types/nope', '/import/']) {
    const response = await fetch(server.url + where, page);
    expect([where, response.status, await response.text()]).toEqual([
      where,
      404,
      '<!doctype html><title>console</title>',
    ]);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'self'; /);
    const problem = await fetch(server.url + where);
    expect([where, problem.status]).toEqual([where, 404]);
    expect(await problem.json()).toMatchObject({ code: 'route_not_found' });
  }
});

it('keeps to the files below each path, however the path is spelled', async () => {
  await build('console');
  for (const where of ['/assets/../index.html', '/docs/../index.html', '/assets//index-1a2b.js']) {
    const { status } = await ask(server.url, { path: where, headers: page.headers });
    expect([where, status]).toEqual([where, 404]);
  }
});

it('shows another build without a restart', async () => {
  await build('before');
  await (await fetch(server.url, page)).text();
  await build('after');
  await utimes(path.join(directory, 'index.html'), new Date(), new Date(Date.now() + 5_000));
  expect(await (await fetch(server.url, page)).text()).toContain('after');
  expect(await (await fetch(`${server.url}/assets/index-1a2b.js`)).text()).toContain('after');
});

it('says how to build the console where it is not built, and serves the interface all the same', async () => {
  const response = await fetch(server.url, page);
  expect(response.status).toBe(503);
  expect(await response.text()).toContain('npm run build -w packages/console');
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});

it('leads to the OpenAPI document where the reference is not built', async () => {
  for (const where of ['/docs', '/docs/']) {
    const { status, headers } = await fetch(server.url + where, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([302, '/openapi.json']);
  }
  expect(await (await fetch(`${server.url}/docs`)).json()).toMatchObject({ openapi: expect.any(String) });
  expect((await fetch(`${server.url}/docs/nope`)).status).toBe(404);
  await mkdir(path.join(directory, 'docs'));
  await writeFile(path.join(directory, 'docs/index.html'), '<!doctype html><title>reference</title>');
  expect(await (await fetch(`${server.url}/docs`)).text()).toContain('reference');
});
