import { expect } from 'vitest';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { numbered, Station } from '../testing/station.ts';
import { consolePath, inBrowser, openTab, patiently, rowNames, seeRow } from './testing/console.ts';

inBrowser('keeps what is shown while the server is gone, and goes on by itself once it is back', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(500));
  const { page } = await openTab(server, consolePath());
  await seeRow(page, 'vm-00000');
  await server.process.stop();
  await page.getByText('The server is not responding').waitFor();
  expect((await rowNames(page))[0]).toBe('vm-00000');
  await page.getByRole('grid').press('End');

  const again = await start(server);
  await seeRow(page, 'vm-00499');
  await page.getByText('The server is not responding').waitFor({ state: 'detached' });
  await new Station(again, station.path).write([{ resource_id: 'new' }]);
  await page.getByRole('button', { name: '1 change in this view' }).waitFor();
});

inBrowser('says since when the network is gone, and is live again when it is back', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(5));
  const { page } = await openTab(server, consolePath());
  const live = page.getByText('Live', { exact: true });
  await live.waitFor();
  await page.context().setOffline(true);
  await page.getByText(/^Disconnected since \d\d:\d\d$/).waitFor();
  expect(await live.count()).toBe(0);
  await station.write([{ resource_id: 'aaa-new' }]);
  await page.context().setOffline(false);
  await live.waitFor();
  await seeRow(page, 'aaa-new');
});

inBrowser('stops ages while rows are held back and while the network is gone', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(300));
  const { page } = await openTab(server, '/stations');
  await page.clock.install();
  await page.goto(server.url + consolePath());
  const ages = page.locator('.table-row > :nth-child(3) time');
  const lastAge = () => ages.last().textContent();
  const lastAgeAfter = async (minutes: number) => {
    await page.clock.fastForward(minutes * 60_000);
    // Ages tick every half minute.
    await page.clock.runFor(61_000);
    return lastAge();
  };
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('grid').press('End');
  await seeRow(page, 'vm-00299');
  await station.write([{ resource_id: 'aaa-new' }]);
  const show = page.getByRole('button', { name: '1 change in this view' });
  await show.waitFor();
  const heldBack = await lastAge();
  expect(heldBack).toMatch(/^(< 1|\d) min$/);
  expect(await lastAgeAfter(10)).toBe(heldBack);
  await show.click();
  await page.getByText('Live', { exact: true }).waitFor();
  // The time of the machine goes on as well.
  await expect.poll(lastAge, patiently).toMatch(/^1[1-9] min$/);

  await page.context().setOffline(true);
  await page.getByText(/^Disconnected since \d\d:\d\d$/).waitFor();
  const disconnected = await lastAge();
  expect(disconnected).toMatch(/^1[1-9] min$/);
  expect(await lastAgeAfter(30)).toBe(disconnected);
  await page.context().setOffline(false);
  await page.getByText('Live', { exact: true }).waitFor();
  await expect.poll(lastAge, patiently).toMatch(/^4[2-9] min$/);
});

inBrowser('finds out about changes by asking where there is no stream', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(3));
  const { page } = await openTab(server, '/');
  await page.route('**/changes/stream**', (route) => route.abort());
  await page.goto(server.url + consolePath());
  await seeRow(page, 'vm-00000');
  await station.write([{ resource_id: 'new' }]);
  await seeRow(page, 'new');

  await page.goto(`${server.url}${consolePath()}?text=ew`);
  await page.getByText('1 resource', { exact: true }).waitFor();
  await station.write([{ resource_id: 'vm-00000', sku: 'outside' }]);
  await page.waitForResponse((response) => response.url().includes('/changes?'));
  await page.getByText('Live', { exact: true }).waitFor();
  await station.write([{ resource_id: 'new', sku: 'inside' }]);
  await page.getByRole('gridcell', { name: 'inside' }).waitFor();
});

inBrowser('shows skeletons while a slow network is at work', async () => {
  const server = await startServer();
  await (await Station.create(server)).write(numbered(3));
  const { page } = await openTab(server, '/stations');
  await page.getByRole('link', { name: 'station', exact: true }).waitFor();
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/resources?**', async (route) => {
    await isAnswered;
    await route.continue();
  });
  await page.getByRole('link', { name: 'station', exact: true }).click();
  await page.locator('.table-row .skeleton').first().waitFor();
  answer();
  await seeRow(page, 'vm-00002');
});

inBrowser('opens pages and trends that nobody has opened yet while the server is gone', async () => {
  const server = await startServer();
  await (await Station.create(server)).write(numbered(3));
  const { page, complaints } = await openTab(server, consolePath());
  await seeRow(page, 'vm-00000');
  await expect.poll(() => page.evaluate(hasLoaded('trends-panel')), patiently).toBe(true);
  await expect.poll(() => page.evaluate(hasLoaded('about-page')), patiently).toBe(true);
  await server.process.stop();
  await page.getByText('You are seeing earlier data').waitFor();
  await page.getByRole('button', { name: 'Trends' }).click();
  await page.getByRole('heading', { name: 'Trends' }).waitFor();
  await seeRow(page, 'vm-00000');
  await page.getByRole('link', { name: 'Stations', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Stations' }).waitFor();
  await page.getByText('This page loads when it is back').waitFor();
  await start(server);
  await page.getByRole('link', { name: 'station', exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('waits for code that did not load before the server went, and goes on by itself', async () => {
  const server = await startServer();
  await (await Station.create(server)).write(numbered(3));
  const { page, complaints } = await openTab(server, '/about', { locale: 'zh-CN' });
  await page.route(lazyCode, (route) => route.abort());
  await page.goto(server.url + consolePath());
  await seeRow(page, 'vm-00000');
  await server.process.stop();
  await page.getByRole('button', { name: '趋势' }).click();
  await page.getByRole('alert').getByText('无法连接服务器。').waitFor();
  await seeRow(page, 'vm-00000');
  await page.unroute(lazyCode);
  await start(server);
  await page.getByRole('heading', { name: '趋势' }).waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('says in every language that a page did not load because the server is gone', async () => {
  const server = await startServer();
  const { page, complaints } = await openTab(server, '/about', { locale: 'zh-CN' });
  await page.route(lazyCode, (route) => route.abort());
  await page.goto(server.url);
  await page.getByRole('heading', { name: '当前告警' }).waitFor();
  await server.process.stop();
  await page.getByRole('link', { name: '类型' }).click();
  await page.getByRole('alert').getByText('无法连接服务器。').waitFor();
  await page.getByRole('heading', { name: '类型' }).waitFor();
  await expect.poll(() => page.title(), patiently).toBe('(?) 类型 · Roster');
  await page.getByRole('button', { name: '重试' }).click();
  await page.unroute(lazyCode);
  await start(server);
  await page.getByRole('heading', { name: '还没有类型' }).waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('says that it waits for a server that accepts requests and does not answer', async () => {
  const server = await startServer();
  const { page } = await openTab(server, '/about');
  await page.route(lazyCode, () => {});
  await page.goto(server.url);
  await page.getByRole('heading', { name: 'Now' }).waitFor();
  process.kill(server.process.pid, 'SIGSTOP');
  await page.getByRole('link', { name: 'Types' }).click();
  await page.getByRole('heading', { name: 'Types' }).waitFor();
  await page.getByText('Waiting for the server …').waitFor();
  await page.getByText('The server is not responding').waitFor();
  expect(await page.getByText('You are seeing earlier data').count()).toBe(0);
  process.kill(server.process.pid, 'SIGCONT');
});

inBrowser('offers to try again where a page did not load, or could not be shown', async () => {
  const server = await startServer();
  const { page } = await openTab(server, '/about');
  await page.route(lazyCode, (route) => route.abort());
  await page.goto(server.url);
  await page.getByRole('link', { name: 'Types' }).click();
  await page.getByText('This part of the console could not be loaded.').waitFor();
  const again = page.getByRole('button', { name: 'Try again' });
  await page.unroute(lazyCode);
  await again.click();
  await page.getByRole('heading', { name: 'No types yet' }).waitFor();

  const path = '**/roster/v1/resource-types';
  await page.route(path, (route) => route.fulfill({ json: { resource_types: [null] } }));
  await page.reload();
  await page.getByText('The console failed to show this page.').waitFor();
  await page.unroute(path);
  await page.getByRole('link', { name: 'Sources', exact: true }).click();
  await page.getByRole('heading', { name: 'No sources are configured' }).waitFor();
});

inBrowser('says once that the server is gone, also where a list is grouped meanwhile', async () => {
  const server = await startServer();
  await (await Station.create(server)).write(numbered(3));
  const { page } = await openTab(server, '/stations');
  await page.getByRole('link', { name: 'station', exact: true }).waitFor();
  await server.process.stop();
  await page.getByText('You are seeing earlier data').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);

  const again = await start(server);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'station', exact: true }).click();
  await seeRow(page, 'vm-00000');
  await again.process.stop();
  await page.getByText('You are seeing earlier data').waitFor();
  await page.getByLabel('Group by').selectOption('By Type');
  await page.getByRole('alert').getByText('The server could not be reached.').waitFor();
  await start(server);
  await page.getByRole('cell', { name: '3', exact: true }).waitFor();
});

/** What is loaded on demand. */
const lazyCode = /\/assets\/(types-page|trends-panel)-/;

const hasLoaded = (name: string) =>
  `performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/${name}-'))`;

const start = ({ data, url }: RunningServer) =>
  startServer({ data, environment: { ROSTER_PORT: new URL(url).port } });
