import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { longOnly, shortOnly } from '../../testing/scale.ts';
import { startServer } from '../testing/start-server.ts';
import { numbered, Station } from '../testing/station.ts';
import { violations } from './testing/axe.ts';
import {
  consolePath,
  expectNoSidewaysScroll,
  inBrowser,
  openTab,
  patiently,
  rowNames,
  seeRow,
} from './testing/console.ts';

/** 200 resources, of which one is firing and two have labels. */
async function startWithOneFiring() {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(200, 'vm', { alertable: true, alert_rules_count: 2 }));
  const since = new Date(Date.now() - 3.5 * 3_600_000).toISOString();
  await station.write([
    { resource_id: 'vm-00007', state: 'ALERTSTATE_FIRING', state_since: since, labels: { rack: 'r12' } },
    { resource_id: 'vm-00008', alert_rules_count: 9, labels: { rack: 'r12', owner: 'search' } },
    { resource_id: 'vm-00009', alert_rules_count: 0 },
  ]);
  return { server, station };
}

const queryOf = (page: Page) => decodeURIComponent(new URL(page.url()).search);

const tabTo = async (page: Page, condition: string) => {
  while (!(await page.evaluate<boolean>(condition))) await page.keyboard.press('Tab');
};

shortOnly(inBrowser)(
  'leads from the number of the stations page to the one that fires, by mouse',
  async () => {
    const { server } = await startWithOneFiring();
    const { page, complaints } = await openTab(server, '/stations');
    await page.getByRole('link', { name: 'Firing: 1' }).click();
    await page.getByText('1 resource', { exact: true }).waitFor();
    expect(queryOf(page)).toBe('?state=firing');
    await expect.poll(() => rowNames(page), patiently).toEqual(['vm-00007']);
    await page.getByRole('gridcell', { name: '3 h' }).waitFor();

    await page.getByRole('button', { name: 'Remove filter: State' }).click();
    await page.getByText('200 resources').waitFor();
    expect(queryOf(page)).toBe('');
    await page.goBack();
    await page.getByText('1 resource', { exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Without rules: 1' }).click();
    await seeRow(page, 'vm-00009');
    expect(queryOf(page)).toBe('?covered=false');
    expect(complaints).toEqual([]);
  },
);

longOnly(inBrowser)(
  'leads from the number of the stations page to the one that fires, by keyboard',
  async () => {
    const { server } = await startWithOneFiring();
    const { page } = await openTab(server, '/stations');
    await page.getByRole('link', { name: 'Firing: 1' }).waitFor();
    await tabTo(page, "document.activeElement.getAttribute('aria-label') === 'Firing: 1'");
    await page.keyboard.press('Enter');
    await page.getByText('1 resource', { exact: true }).waitFor();
    await tabTo(page, "document.activeElement.getAttribute('role') === 'grid'");
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary');
    await panel.getByRole('heading', { name: 'vm-00007' }).waitFor();
    await panel.getByText('3 h').waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  },
);

longOnly(inBrowser)('has links in its figures, to filter by or to open beside', async () => {
  const { server } = await startWithOneFiring();
  const { page } = await openTab(server, `${consolePath()}?text=vm-0000`);
  await page.getByText('10 resources').waitFor();
  const summary = page.getByRole('region', { name: 'Summary' });
  const opened = page.context().waitForEvent('page');
  await summary.getByRole('link', { name: 'Without rules 1' }).click({ button: 'middle' });
  const beside = await opened;
  await beside.getByText('1 resource', { exact: true }).waitFor();
  expect(queryOf(beside)).toBe('?text=vm-0000&covered=false');
  expect(queryOf(page)).toBe('?text=vm-0000');

  await summary.getByRole('link', { name: /^Firing 1/ }).click();
  await page.getByText('1 resource', { exact: true }).waitFor();
  expect(queryOf(page)).toBe('?text=vm-0000&state=firing');
});

longOnly(inBrowser)('sorts by a column, back and forth, from the mouse and from the keyboard', async () => {
  const { server } = await startWithOneFiring();
  const { page, complaints } = await openTab(server, consolePath());
  await seeRow(page, 'vm-00000');
  const header = page.getByRole('columnheader', { name: 'Rules' });
  await header.getByRole('button').click();
  await expect.poll(async () => (await rowNames(page))[0], patiently).toBe('vm-00009');
  expect([await header.getAttribute('aria-sort'), queryOf(page)]).toEqual([
    'ascending',
    '?order_by=alert_rules_count',
  ]);
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await rowNames(page))[0], patiently).toBe('vm-00008');
  expect([await header.getAttribute('aria-sort'), queryOf(page)]).toEqual([
    'descending',
    '?order_by=-alert_rules_count',
  ]);
  await page.getByText('Sorted by Rules, descending').waitFor();
  await page.getByRole('grid').press('End');
  await seeRow(page, 'vm-00009');

  await page.reload();
  await expect.poll(async () => (await rowNames(page))[0], patiently).toBe('vm-00008');
  await page.goBack();
  await expect.poll(async () => (await rowNames(page))[0], patiently).toBe('vm-00009');
  expect(complaints).toEqual([]);
});

longOnly(inBrowser)(
  'searches for any part of a name, and still takes the prefix of earlier URLs',
  async () => {
    const { server } = await startWithOneFiring();
    const { page } = await openTab(server, `${consolePath()}?resource_display_name_prefix=vm-0000`);
    await page.getByText('10 resources').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('M-00');
    await page.keyboard.type('00');
    await expect.poll(() => queryOf(page), patiently).toContain('text=M-0000');
    await page.getByRole('button', { name: 'Remove filter: Display name starts with' }).click();
    await expect.poll(() => queryOf(page), patiently).toBe('?text=M-0000');
    await page.getByRole('searchbox', { name: 'Name or ID contains' }).fill('0019');
    await page.getByText('10 resources').waitFor();
    await seeRow(page, 'vm-00190');
  },
);

shortOnly(inBrowser)('follows the changes of what it shows, and marks what has turned', async () => {
  const { server, station } = await startWithOneFiring();
  const { page } = await openTab(server, `${consolePath()}?state=firing`);
  await seeRow(page, 'vm-00007');
  await page.getByText('Live', { exact: true }).waitFor();
  await station.write([
    { resource_id: 'vm-00001', sku: 'outside' },
    { resource_id: 'vm-00002', state: 'ALERTSTATE_FIRING' },
    { resource_id: 'vm-00007', state: 'ALERTSTATE_INACTIVE' },
  ]);
  await seeRow(page, 'vm-00002');
  await expect.poll(() => rowNames(page), patiently).toEqual(['vm-00002 (just started firing)']);
  await page.getByText('1 resource', { exact: true }).waitFor();
});

longOnly(inBrowser)('shows labels where there are any, and lists what has the same', async () => {
  const { server } = await startWithOneFiring();
  const { page } = await openTab(server, `${consolePath()}?text=vm-0000&resource=vm-00008`);
  await page.getByRole('columnheader', { name: 'Labels' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('complementary').getByRole('link', { name: 'rack=r12' }).click();
  await page.getByText('2 resources').waitFor();
  expect(new URL(page.url()).searchParams.get('label.rack')).toBe('r12');
  await page.getByRole('complementary').waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 375, height: 740 });
  await expectNoSidewaysScroll(page);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove filter: rack' }).click();
  await page.getByText('10 resources').waitFor();
});

longOnly(inBrowser)('shows the column of labels without labels only to those who ask for it', async () => {
  const { server } = await startWithOneFiring();
  const { page } = await openTab(server, `${consolePath()}?text=vm-0001`);
  await page.getByText('10 resources').waitFor();
  const labels = page.getByRole('columnheader', { name: 'Labels' });
  expect(await labels.count()).toBe(0);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Labels' }).click({ force: true });
  await labels.waitFor();
});
