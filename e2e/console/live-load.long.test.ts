import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { startServer } from '../testing/start-server.ts';
import { numbered, Station } from '../testing/station.ts';
import { consolePath, inBrowser, openTab, patiently, seeRow } from './testing/console.ts';

const perSecond = 1_000;
const batch = 100;
const seconds = 8;

const watchLongTasks = `
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(Math.round(duration));
  }).observe({ type: 'longtask', buffered: false });
`;

/**
 * Returns what tells how long the thread of the page has used a processor since. Unlike the length of a task, that
 * does not depend on what else the machine does.
 */
async function measureBusyMs(page: Page): Promise<() => Promise<number>> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable');
  return async () => {
    const { metrics } = await devTools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ThreadTime')!.value * 1_000;
  };
}

inBrowser('keeps up with 1 000 changes a second in the open station', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  const all = numbered(5_000, 'vm', { alertable: true, alert_rules_count: 2 });
  await station.write(all);
  const { page } = await openTab(server, `${consolePath()}?order_by=state`);
  await seeRow(page, 'vm-00000');
  await page.getByText('Live', { exact: true }).waitFor();
  await page.evaluate(watchLongTasks);
  const busyMsSince = await measureBusyMs(page);
  const from = performance.now();
  for (let sent = 0; sent < perSecond * seconds; sent += batch) {
    const changed = all.slice(sent % all.length, (sent % all.length) + batch);
    const state = sent % 200 === 0 ? 'ALERTSTATE_FIRING' : 'ALERTSTATE_PENDING';
    await station.write(changed.map(({ resource_id }) => ({ resource_id, state, sku: `s${sent}` })));
    const dueMs = ((sent + batch) / perSecond) * 1_000 - (performance.now() - from);
    if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs));
  }
  const busyMs = await busyMsSince();
  const rate = Math.round((perSecond * seconds) / ((performance.now() - from) / 1_000));
  const longTasks = await page.evaluate<number[]>('window.longTasks');
  const { states } = await station.summary();
  await expect
    .poll(
      () =>
        page
          .getByRole('region', { name: 'Summary' })
          .getByRole('link', { name: /^Firing/ })
          .textContent(),
      patiently,
    )
    .toContain(states.ALERTSTATE_FIRING!.toLocaleString('en'));
  const worst = Math.max(0, ...longTasks);
  process.stdout.write(
    `${rate} changes a second: ${longTasks.length} tasks over 50 ms, the longest ${worst} ms; ` +
      `${Math.round(busyMs)} ms of processor time\n`,
  );
  expect(busyMs).toBeGreaterThan(0);
  expect(busyMs).toBeLessThan(seconds * 1_000);
});
