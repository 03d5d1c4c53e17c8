import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { longOnly, shortOnly } from '../../testing/scale.ts';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { numbered, Station } from '../testing/station.ts';
import { launchChromium } from './testing/chromium.ts';
import { inBrowser } from './testing/console.ts';

/** An empty page of another origin, in a browser for which `rebound.test` is this machine. */
async function openForeignPage(): Promise<{ page: Page; origin: string }> {
  const server = http.createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>elsewhere</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await launchChromium(['--host-resolver-rules=MAP rebound.test 127.0.0.1']);
  onTestFinished(async () => {
    await browser.close();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const page = await browser.newPage();
  await page.goto(origin);
  return { page, origin };
}

/** What a script of the page is given. */
function fetchInPage(page: Page, url: string, init: RequestInit = {}): Promise<unknown> {
  return page.evaluate(
    `fetch(${JSON.stringify(url)}, ${JSON.stringify(init)}).then(
      async (response) => ({
        status: response.status,
        revision: response.headers.get('Roster-Revision'),
        body: await response.json().catch(() => undefined),
      }),
      (error) => error.name,
    )`,
  );
}

const listOf = (server: RunningServer, { path }: Station) =>
  `${server.url}/monitor/ts/data/v1${path}/resources?page.size=1`;

shortOnly(inBrowser)('a page of another origin reads and writes nothing', async () => {
  const { page } = await openForeignPage();
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(3));
  const url = listOf(server, station);
  expect(await fetchInPage(page, url)).toBe('TypeError');
  const own = `${server.url}/roster/v1${station.path}`;
  expect(await fetchInPage(page, own, { method: 'DELETE' })).toBe('TypeError');
  const simple = { method: 'POST', mode: 'no-cors', body: '{}' } as const;
  await fetchInPage(page, `${own}/resources`, simple);
  expect(await (await fetch(url)).json()).toMatchObject({ page: { total: 3 } });
  await page.setContent(`<iframe src="${server.url}/"></iframe>`);
  await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
});

longOnly(inBrowser)('a page of an allowed origin does what its token may', async () => {
  const { page, origin } = await openForeignPage();
  const server = await startServer({ environment: { ROSTER_CORS_ORIGINS: origin } });
  const station = await Station.create(server);
  await station.write(numbered(3));
  const url = listOf(server, station);
  const list = await fetchInPage(page, url, { headers: { 'If-None-Match': '"none"' } });
  expect(list).toMatchObject({
    status: 200,
    revision: expect.stringMatching(/\.1$/),
    body: { page: { total: 3 } },
  });
  expect(await fetchInPage(page, `${url}&page.size=x`)).toMatchObject({
    status: 400,
    body: { code: 'invalid_parameter' },
  });
  const own = `${server.url}/roster/v1${station.path}`;
  expect(await fetchInPage(page, own, { method: 'DELETE' })).toMatchObject({ status: 204 });
});

longOnly(inBrowser)('a name that was made to stand for this machine gets nothing', async () => {
  const { page } = await openForeignPage();
  const server = await startServer();
  const { port } = new URL(server.url);
  for (const path of ['/', '/roster/v1/stations', '/docs/']) {
    const response = await page.goto(`http://rebound.test:${port}${path}`);
    expect([path, response?.status()]).toEqual([path, 421]);
    expect(await response?.json()).toMatchObject({ code: 'misdirected_request' });
  }
});
