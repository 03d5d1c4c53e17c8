import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { longOnly, shortOnly } from '../../testing/scale.ts';
import { startServer } from '../testing/start-server.ts';
import { numbered, Station } from '../testing/station.ts';
import { violations } from './testing/axe.ts';
import {
  consolePath,
  expectNoSidewaysScroll,
  hide,
  inBrowser,
  openTab,
  patiently,
  rowNames,
  seeRow,
} from './testing/console.ts';

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

/** Two stations. In one of them one of 50 fires; in the other, one is pending. */
async function startWithOneFiring() {
  const server = await startServer();
  const watched = { alertable: true, alert_rules_count: 2 };
  const east = await Station.create(server, 'east');
  await east.write(numbered(50, 'vm', watched));
  await east.write([{ resource_id: 'vm-00007', state: 'ALERTSTATE_FIRING', state_since: hoursAgo(3.5) }]);
  const west = await Station.create(server, 'west');
  await west.write(numbered(5, 'db', watched));
  await west.write([
    { resource_id: 'db-00001', state: 'ALERTSTATE_PENDING', state_since: hoursAgo(0.5) },
    { resource_id: 'db-00002', alert_rules_count: 0 },
    { resource_id: 'db-00003', alertable: false },
  ]);
  return { server, east, west };
}

const panelOf = (page: Page) => page.getByRole('complementary');

longOnly(inBrowser)('leads from the start page to the one that fires, by mouse, and back', async () => {
  const { server } = await startWithOneFiring();
  const { page, complaints } = await openTab(server, '/');
  const groups = page.getByRole('main').getByRole('region');
  await groups.first().waitFor();
  expect(await groups.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))).toEqual([
    'east',
    'west',
  ]);
  await expect.poll(() => page.title(), patiently).toBe('(1) Now · Roster');
  expect(await page.getAttribute('link[rel=icon]', 'href')).toBe('/assets/icon-1.svg');

  await page.getByRole('link', { name: 'Firing vm-00007 3 h' }).click();
  await panelOf(page).getByRole('heading', { name: 'vm-00007' }).waitFor();
  await page.getByText('1 resource', { exact: true }).waitFor();
  await expect.poll(() => rowNames(page), patiently).toEqual(['vm-00007']);
  await page.goBack();
  await page.getByRole('link', { name: 'Pending 1', exact: true }).first().click();
  await page.getByText('1 resource', { exact: true }).waitFor();
  await seeRow(page, 'db-00001');
  expect(new URL(page.url()).pathname).toBe('/resources');
  expect(complaints).toEqual([]);
});

longOnly(inBrowser)('leads from the start page to the one that fires, by keyboard', async () => {
  const { server } = await startWithOneFiring();
  const { page } = await openTab(server, '/');
  await page.getByRole('link', { name: 'Firing 1', exact: true }).first().waitFor();
  const tabTo = async (condition: string) => {
    for (let tabs = 1; tabs <= 12; tabs++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate<boolean>(condition)) return;
    }
    throw new Error(`not within 12 tabs: ${condition}`);
  };
  await tabTo("document.activeElement.getAttribute('href') === '#content'");
  await page.keyboard.press('Enter');
  await tabTo("document.activeElement.closest('.now-tile.tone-firing') !== null");
  await page.keyboard.press('Enter');
  await seeRow(page, 'vm-00007');
  await page.reload();
  await seeRow(page, 'vm-00007');
  await tabTo("document.activeElement.getAttribute('href') === '#list'");
  await page.keyboard.press('Enter');
  expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe('grid');
  await page.keyboard.press('Enter');
  await panelOf(page).getByRole('heading', { name: 'vm-00007' }).waitFor();
});

longOnly(inBrowser)(
  'skips to the first that fires, and returns to it, and to the row of a list',
  async () => {
    const { server } = await startWithOneFiring();
    const { page } = await openTab(server, '/');
    await page.getByRole('link', { name: 'Firing vm-00007' }).waitFor();
    const focused = () =>
      page.evaluate<string>('document.activeElement.textContent + document.activeElement.id');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to the first alert');
    await page.keyboard.press('Enter');
    expect(await focused()).toContain('vm-00007');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toContain('db-00001');
    await page.keyboard.press('Enter');
    await panelOf(page).getByRole('heading', { name: 'db-00001' }).waitFor();
    await page.goBack();
    await expect.poll(focused, patiently).toContain('db-00001');

    await page.goto(`${server.url}/resources`);
    await seeRow(page, 'vm-00000');
    await page.getByRole('grid').press('PageDown');
    const active = () => page.locator('.table-row.active').getByRole('gridcell').first().textContent();
    const chosen = await active();
    await page.keyboard.press('Enter');
    await panelOf(page).getByRole('heading', { name: chosen! }).waitFor();
    await page.goBack();
    await expect.poll(focused, patiently).toMatch(/list$/);
    expect(await active()).toBe(chosen);
  },
);

longOnly(inBrowser)('leads from the start page to the one that fires, at 375 pixels', async () => {
  const { server } = await startWithOneFiring();
  const { page } = await openTab(server, '/', { viewport: { width: 375, height: 740 }, hasTouch: true });
  const name = page.getByRole('link', { name: 'Firing vm-00007 3 h' });
  await name.waitFor();
  await expectNoSidewaysScroll(page);
  expect(await violations(page)).toEqual([]);
  expect((await name.boundingBox())!.y).toBeLessThan(740);
  await name.tap();
  await panelOf(page).getByRole('heading', { name: 'vm-00007' }).waitFor();
  await expectNoSidewaysScroll(page);
  await page.goto(`${server.url}/stations`);
  const firing = page.getByRole('link', { name: 'Firing: 1' });
  await firing.waitFor();
  const box = (await firing.boundingBox())!;
  expect(box.x + box.width).toBeLessThan(375);
  expect(await violations(page)).toEqual([]);
});

longOnly(inBrowser)('names what began after thousands of others, and counts all of them', async () => {
  const { server, west } = await startWithOneFiring();
  const crowd = await Station.create(server, 'crowd');
  const firing = { state: 'ALERTSTATE_FIRING', state_since: hoursAgo(2) };
  await crowd.write([
    ...numbered(3_000, 'vm', firing),
    ...numbered(400, 'gpu', {
      ...firing,
      resource_type: 'resource_type.compute.gpu',
      state_since: hoursAgo(0.9),
    }),
  ]);
  await west.write([{ resource_id: 'db-00002', state: 'ALERTSTATE_FIRING' }]);
  const { page } = await openTab(server, '/');
  const groupOf = (name: string) => page.getByRole('region', { name });
  await groupOf('west').getByRole('link', { name: 'Firing db-00002' }).waitFor();
  await groupOf('crowd').getByText('3,400').waitFor();
  await groupOf('crowd').getByText('3,000').first().waitFor();
  await groupOf('crowd').getByText('2,997 more').waitFor();
  await groupOf('crowd').getByText('400', { exact: true }).waitFor();
  await page.getByText('401 in the last hour').waitFor();
});

shortOnly(inBrowser)('claims nothing to be current once the server is gone', async () => {
  const { server } = await startWithOneFiring();
  const paths = [
    '/',
    '/stations',
    '/resources?state=firing',
    consolePath('east'),
    `${consolePath('east')}?resource=vm-00007`,
  ];
  const { page } = await openTab(server, paths[0]!);
  const pages = [page];
  for (const path of paths.slice(1)) {
    const next = await page.context().newPage();
    await next.goto(server.url + path);
    pages.push(next);
  }
  for (const each of pages) {
    await each.bringToFront();
    await each.getByText('Live', { exact: true }).waitFor();
  }
  await server.process.stop();
  for (const each of pages) {
    await each.bringToFront();
    await each.getByText(/^Disconnected since \d\d:\d\d$/).waitFor();
    expect(await each.getByText('Live', { exact: true }).count()).toBe(0);
    expect(await each.title()).toMatch(/^\(\?\) /);
    expect(await each.getAttribute('link[rel=icon]', 'href')).toBe('/assets/icon-lost.svg');
    await each.getByText('The server is not responding').first().waitFor();
  }
  const withPanel = pages.at(-1)!;
  const warning = panelOf(withPanel).getByText('The server is not responding');
  expect(await warning.isVisible()).toBe(false);
  await withPanel.setViewportSize({ width: 375, height: 740 });
  await warning.waitFor();
  await expectNoSidewaysScroll(withPanel);
});

longOnly(inBrowser)(
  'keeps the number in the title of hidden tabs current, and says when nobody knows it',
  async () => {
    const { server, east } = await startWithOneFiring();
    const { page: now } = await openTab(server, '/');
    const openNext = async (path: string) => {
      const next = await now.context().newPage();
      await next.goto(server.url + path);
      return next;
    };
    const stations = await openNext('/stations');
    const station = await openNext(consolePath('east'));
    const resource = await openNext(`${consolePath('east')}/resources/vm-00001`);
    const scrolled = await openNext(consolePath('east'));
    await seeRow(scrolled, 'vm-00000');
    await scrolled.getByRole('grid').press('End');
    const pages = [now, stations, station, resource, scrolled];
    const titles = () =>
      Promise.all(pages.map(async (each) => (await each.title()).replace(' · Roster', '')));
    await expect
      .poll(titles, patiently)
      .toEqual(['(1) Now', '(1) Stations', '(1) east', 'vm-00001', '(1) east']);
    await Promise.all(pages.map(hide));
    await east.write([{ resource_id: 'vm-00001', state: 'ALERTSTATE_FIRING' }]);
    await expect
      .poll(titles, patiently)
      .toEqual(['(2) Now', '(2) Stations', '(2) east', '(1) vm-00001', '(?) east']);
    await stations.route('**/roster/v1/stations*', (route) => route.fulfill({ status: 500, json: {} }));
    await expect.poll(() => stations.title(), patiently).toBe('(?) Stations · Roster');
    expect((await titles())[0]).toBe('(2) Now');
    await server.process.stop();
    await expect
      .poll(titles, patiently)
      .toEqual(['(?) Now', '(?) Stations', '(?) east', '(?) vm-00001', '(?) east']);
  },
);

longOnly(inBrowser)('calms nobody about what no rule watches', async () => {
  const { server } = await startWithOneFiring();
  const { page } = await openTab(server, consolePath('west'));
  await seeRow(page, 'db-00000');
  const stateOf = async (name: string) => {
    const row = page.getByRole('row').filter({ hasText: name });
    return (await row.getByRole('gridcell').nth(1).textContent())?.trim();
  };
  expect(await stateOf('db-00000')).toBe('Inactive');
  expect(await stateOf('db-00002')).toBe('No rules');
  expect(await stateOf('db-00003')).toMatch(/^–/);
  const summary = page.getByRole('region', { name: 'Summary' });
  await summary.getByRole('link', { name: /^Inactive, with rules 2/ }).waitFor();
  await summary.getByRole('link', { name: /^Inactive, no rules 1/ }).click();
  await page.getByText('1 resource', { exact: true }).waitFor();
  await expect.poll(() => rowNames(page), patiently).toEqual(['db-00002']);
});

longOnly(inBrowser)(
  'shows a change on the start page, in the row and in its panel, all from one snapshot',
  async () => {
    const { server, east } = await startWithOneFiring();
    const { page } = await openTab(server, `${consolePath('east')}?resource=vm-00001`);
    await panelOf(page).getByText('Inactive').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const written = Date.now();
    await east.write([{ resource_id: 'vm-00001', state: 'ALERTSTATE_FIRING' }]);
    await panelOf(page).getByText('Firing', { exact: true }).waitFor();
    const shownMs = Date.now() - written;
    const row = page.getByRole('row').filter({ hasText: 'vm-00001' });
    await row.getByText('Firing', { exact: true }).waitFor();
    await page
      .getByRole('region', { name: 'Summary' })
      .getByRole('link', { name: /^Firing 2/ })
      .waitFor();
    expect(await row.getAttribute('class')).toContain('turned firing');
    await expect.poll(() => page.title(), patiently).toBe('(2) east · Roster');
    await page.goto(server.url);
    await page.getByText('2 Firing').first().waitFor();
    await east.write([{ resource_id: 'vm-00001', state: 'ALERTSTATE_INACTIVE' }]);
    await page.getByText('1 Firing').first().waitFor();
    process.stdout.write(`a change of state was on the screen ${shownMs} ms after it was sent\n`);
  },
);

longOnly(inBrowser)('groups a list, and each number leads to what it counts', async () => {
  const { server } = await startWithOneFiring();
  const { page } = await openTab(server, '/resources?state=firing,pending');
  await page.getByText('2 resources').waitFor();
  await page.getByRole('combobox', { name: 'Group by' }).selectOption('station');
  const row = page.getByRole('row').filter({ hasText: 'west' });
  await row.getByRole('link', { name: '1', exact: true }).first().click();
  await page.getByText('1 resource', { exact: true }).waitFor();
  await seeRow(page, 'db-00001');
  expect(new URL(page.url()).searchParams.get('state')).toBe('pending');
  await page.goBack();
  await page.getByRole('figure').waitFor();
});

longOnly(inBrowser)('sorts stations by any column', async () => {
  const { server } = await startWithOneFiring();
  const { page } = await openTab(server, '/stations');
  const names = () => page.locator('.station-name').allInnerTexts();
  await expect.poll(names, patiently).toEqual(['east', 'west']);
  await page.getByRole('columnheader', { name: 'Without rules' }).getByRole('link').click();
  await expect.poll(names, patiently).toEqual(['west', 'east']);
  expect(await page.getByRole('columnheader', { name: 'Without rules' }).getAttribute('aria-sort')).toBe(
    'descending',
  );
  await page.getByRole('columnheader', { name: 'Resources' }).getByRole('link').click();
  await expect.poll(names, patiently).toEqual(['east', 'west']);
});

longOnly(inBrowser)('scrolls to the row of a link, and back to where one was', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(2_500));
  const { page } = await openTab(server, `${consolePath()}?resource=vm-01234`);
  await seeRow(page, 'vm-01234');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Types' }).click();
  await page.getByRole('heading', { name: 'Types' }).waitFor();
  await page.goBack();
  await seeRow(page, 'vm-01234');
});

longOnly(inBrowser)(
  'shows a resource on a page of its own, live, with its last day, and removes it',
  async () => {
    const { server, east } = await startWithOneFiring();
    const { page } = await openTab(server, `${consolePath('east')}?resource=vm-00001`);
    await panelOf(page).getByRole('link', { name: 'Open its page' }).click();
    await page.getByRole('heading', { name: 'vm-00001' }).waitFor();
    await east.write([{ resource_id: 'vm-00001', state: 'ALERTSTATE_FIRING', sku: 'large' }]);
    await page.getByRole('definition').getByText('Firing', { exact: true }).first().waitFor();
    await page.getByRole('figure').getByText('Firing', { exact: true }).waitFor();
    await expect.poll(() => page.title(), patiently).toBe('(1) vm-00001 · Roster');
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('49 resources').waitFor();
    await page.goto(`${server.url}${consolePath('east')}/resources/vm-00001`);
    await page.getByText(/^Removed by anonymous at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\.$/).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Its last changes' }).click();
    const removed = page.locator('.revision').first();
    await removed.getByText('Removed', { exact: true }).waitFor();
    await page.goto(`${server.url}${consolePath('east')}?resource=nobody`);
    await panelOf(page).getByText('The changes that the server still knows do not mention it.').waitFor();
  },
);
