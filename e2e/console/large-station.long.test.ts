import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { numbered, Station } from '../testing/station.ts';
import { consolePath, inBrowser, openTab, patiently, seeRow } from './testing/console.ts';

const assets = new URL('../../packages/console/dist/assets/', import.meta.url);
const maxScriptBytes = 250_000;

it('sends at most 250 KB of compressed script, even with every page counted', () => {
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  const bytes = scripts.map((name) => gzipSync(readFileSync(new URL(name, assets))).length);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(maxScriptBytes);
});

const watchLongTasks = `
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(Math.round(duration));
  }).observe({ type: 'longtask', buffered: false });
`;

/** By the browser's clock: waiting for a row from outside takes up to half a second longer, and slows the page down. */
const watchFirstRows = `
  new MutationObserver((_, observer) => {
    if (document.querySelector('.row-link') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => { window.firstRowsMs = Math.round(performance.now()); }));
  }).observe(document, { childList: true, subtree: true });
`;

/** From the start of the navigation until the first rows are painted, in a tab that has seen another page. */
async function openStation(server: RunningServer): Promise<{ page: Page; openedMs: number }> {
  const { page } = await openTab(server, '/about');
  await page.waitForLoadState('networkidle');
  await page.addInitScript(watchFirstRows);
  await page.goto(server.url + consolePath());
  const opened = () => page.evaluate<number | undefined>('window.firstRowsMs');
  await expect.poll(opened, patiently).toBeGreaterThan(0);
  return { page, openedMs: (await opened())! };
}

/**
 * After an import the server frees memory and saves the index, which holds up the first requests by a third of a
 * second. How long it takes to open a station is measured without that.
 */
async function untilIdle({ process }: RunningServer): Promise<void> {
  const deadline = performance.now() + 90_000;
  for (let quietSeconds = 0; quietSeconds < 3; ) {
    if (performance.now() > deadline) throw new Error('the server is still busy 90 s after the import');
    const before = process.busyMs();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    quietSeconds = process.busyMs() - before < 50 ? quietSeconds + 1 : 0;
  }
}

/** Goes through the whole table, and returns the bytes that its page needs afterwards. */
async function scrollThrough(page: Page): Promise<number> {
  const { scrollHeight } = await page.evaluate<{ scrollHeight: number }>(
    "({ scrollHeight: document.querySelector('.table').scrollHeight })",
  );
  for (let part = 0; part <= 20; part++) {
    await page.evaluate(`document.querySelector('.table').scrollTop = ${(scrollHeight * part) / 20}`);
    await page.waitForTimeout(30);
  }
  await seeRow(page, 'vm-9-99999');
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devTools.send('Runtime.getHeapUsage');
  await devTools.detach();
  return usedSize;
}

inBrowser('opens and scrolls a million resources to the last one, in either order', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  for (let part = 0; part < 10; part++) {
    expect((await station.write(numbered(100_000, `vm-${part}`))).status).toBe(200);
  }
  await station.total();
  await untilIdle(server);
  const opened = [await openStation(server), await openStation(server), await openStation(server)];
  const { page } = opened[0]!;
  await seeRow(page, 'vm-0-00000');
  await page.getByText('1,000,000 resources').waitFor();

  await page.evaluate(watchLongTasks);
  await page.getByRole('grid').hover();
  for (let step = 0; step < 30; step++) await page.mouse.wheel(0, 2_000);
  const firstBytes = await scrollThrough(page);
  const longTasks = await page.evaluate<number[]>('window.longTasks');
  await scrollThrough(page);
  await scrollThrough(page);
  const grownMb = ((await scrollThrough(page)) - firstBytes) / 2 ** 20;
  expect(grownMb).toBeLessThan(5);

  await page.goto(`${server.url}${consolePath()}?order_by=-name`);
  await seeRow(page, 'vm-9-99999');
  await page.getByRole('grid').press('End');
  await seeRow(page, 'vm-0-00000');
  process.stdout.write(
    `first rows of a million after ${opened.map(({ openedMs }) => openedMs).join(', ')} ms; heap grown by ${grownMb.toFixed(1)} MB in three more passes; ` +
      `tasks over 50 ms while scrolling: ${longTasks.join(', ') || 'none'}\n`,
  );
});
