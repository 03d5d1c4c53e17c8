import { expect } from 'vitest';
import { startServer } from '../testing/start-server.ts';
import { numbered, Station } from '../testing/station.ts';
import { consolePath, inBrowser, openTab, rowNames, seeRow } from './testing/console.ts';

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

  const again = await startServer({
    data: server.data,
    environment: { ROSTER_PORT: new URL(server.url).port },
  });
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

inBrowser('offers to try again where a page did not load', async () => {
  const server = await startServer();
  const { page } = await openTab(server, '/');
  await page.route('**/assets/types-page-*', (route) => route.abort());
  await page.getByRole('link', { name: 'Types' }).click();
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await page.unroute('**/assets/types-page-*');
  await again.click();
  await page.getByRole('heading', { name: 'No types yet' }).waitFor();
});
