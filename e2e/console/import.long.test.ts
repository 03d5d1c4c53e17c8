import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { startServer } from '../testing/start-server.ts';
import { numbered, Station } from '../testing/station.ts';
import { consolePath, inBrowser, openTab, seeRow } from './testing/console.ts';

const choose = (page: Page, name: string, text: string) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: Buffer.from(text) });

const header = 'resource_id,name,resource_type,sku\n';

inBrowser('imports a file with faults, then the repaired one, into a station that it makes', async () => {
  const server = await startServer();
  const { page, complaints } = await openTab(server, '/');
  await page.getByText('No stations yet').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Import' }).first().click();
  for (const [label, value] of [
    ['Subscription', 'e2e'],
    ['Resource group', 'tests'],
    ['Zone', 'zone-1'],
    ['Station', 'station'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('This station does not exist yet. You can create it').waitFor();
  await choose(page, 'inventory.csv', `${header}vm-1,vm-1,vm,2\n,vm-2,resource_type.compute.vm,2\n`);
  await page.getByRole('button', { name: 'Create it' }).click();
  await page.getByText('2 errors in the file').waitFor();
  await page.getByRole('cell', { name: '2:11' }).waitFor();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the errors as CSV' }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe('errors.csv');
  await page.getByText('must have the form resource_type.<category>.<name>').waitFor();
  await page.setViewportSize({ width: 390, height: 740 });
  const place = page.getByRole('cell', { name: '2:11' });
  expect(await place.evaluate(({ clientHeight }) => clientHeight)).toBeLessThan(30);

  await choose(page, 'inventory.csv', `${header}vm-1,vm-1,resource_type.compute.vm,2\n`);
  await page.getByText('New types:').waitFor();
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('Written.').waitFor();
  await page.getByRole('link', { name: 'Show the station' }).click();
  await seeRow(page, 'vm-1');
  expect(complaints).toEqual([]);
});

inBrowser('says in Chinese what is wrong with a file', async () => {
  const server = await startServer();
  await Station.create(server);
  const { page } = await openTab(server, `${consolePath()}/import`, { locale: 'zh' });
  const faulty = await readFile(new URL('../fixtures/faulty.csv', import.meta.url), 'utf8');
  await choose(page, 'faulty.csv', faulty);
  const rows = page.locator('.record-errors tbody tr');
  await rows.first().waitFor();
  const reasons = await rows.locator('td:nth-child(3)').allTextContents();
  expect(reasons.filter((reason) => !/\p{Script=Han}/u.test(reason))).toEqual([]);

  await page.setViewportSize({ width: 375, height: 740 });
  const table = page.locator('.scroll-x:has(.record-errors)');
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  const widths = await rows.locator('td').evaluateAll((cells) => cells.map((each) => each.clientWidth));
  expect(Math.min(...widths)).toBeGreaterThan(300);
});

inBrowser('shows before and after, and replaces only once the name is typed', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(30, 'vm', { sku: 'small' }));
  const firing = ['vm-00000', 'vm-00007', 'vm-00009'];
  await station.write(firing.map((resource_id) => ({ resource_id, state: 'ALERTSTATE_FIRING' })));
  const { page } = await openTab(server, `${consolePath()}/import`);
  await page.getByText('The whole station').click();
  await choose(page, 'all.csv', `${header}vm-00000,vm-00000,resource_type.compute.vm,large\n`);
  const plan = page.getByRole('list', { name: 'Plan' });
  await plan.getByText('small').waitFor();
  await plan.getByText('large').waitFor();
  await page.getByText('This removes 29 resources, more than half of the station.').waitFor();
  await page.getByText('2 of them are firing.').waitFor();
  const apply = page.getByRole('button', { name: 'Apply 30 changes' });
  expect(await apply.isDisabled()).toBe(true);
  await page.getByLabel('To replace the whole station').fill('station');
  await apply.click();
  await page.getByText('Written.').waitFor();
  expect(await station.total()).toBe(1);
});

inBrowser('warns of what fires before it is removed, as far as the plan lists it', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(1_200, 'vm'));
  const replaceWith = async (kept: number) => {
    const { page } = await openTab(server, `${consolePath()}/import`);
    await page.getByText('The whole station').click();
    const rows = Array.from({ length: kept }, (_, at) => `vm-${String(at).padStart(5, '0')}`);
    await choose(
      page,
      'all.csv',
      header + rows.map((id) => `${id},${id},resource_type.compute.vm,\n`).join(''),
    );
    return page;
  };
  const calm = await replaceWith(1_190);
  await calm.getByRole('button', { name: /^Apply/ }).waitFor();
  expect(await calm.getByText('This removes').count()).toBe(0);
  const cut = await replaceWith(10);
  await cut.getByText('Some of them may be firing: only the first 500 changes are listed.').waitFor();

  await station.write([{ resource_id: 'vm-01199', state: 'ALERTSTATE_FIRING' }]);
  const few = await replaceWith(1_190);
  await few.getByText('1 of them is firing.').waitFor();
  expect(await few.getByText('more than half').count()).toBe(0);
});

inBrowser('writes nothing when the station has moved on from the plan', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  const { page } = await openTab(server, `${consolePath()}/import`);
  await choose(
    page,
    'new.ndjson',
    '{"resource_id":"a","name":"a","resource_type":"resource_type.compute.vm"}\n',
  );
  await page.getByRole('button', { name: 'Apply 1 change' }).waitFor();
  await station.write([{ resource_id: 'b' }]);
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('The station has changed since this plan').waitFor();
  expect(await station.total()).toBe(1);
  await page.getByRole('button', { name: 'Plan again' }).click();
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('Written.').waitFor();
  expect(await station.total()).toBe(2);
});

inBrowser('says of a file that is none of the formats what would be', async () => {
  const server = await startServer();
  await Station.create(server);
  const { page } = await openTab(server, `${consolePath()}/import`);
  await choose(page, 'inventory.xlsx', 'PK');
  await page.getByRole('alert').getByText('must end in .csv').waitFor();
});

inBrowser('offers the stations there are, and templates that can be imported as they are', async () => {
  const server = await startServer();
  await Station.create(server, 'north');
  await Station.create(server, 'south');
  const { page } = await openTab(server, '/import');
  await page.getByRole('searchbox', { name: 'Any part of its name' }).fill('OUT');
  await page.getByRole('link', { name: 'south' }).click();
  for (const format of ['CSV', 'NDJSON', 'YAML']) {
    const [template] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: format, exact: true }).click(),
    ]);
    const file = await template.path();
    const name = template.suggestedFilename();
    await page.locator('input[type=file]').setInputFiles({
      name,
      mimeType: '',
      buffer: await readFile(file),
    });
    await page.getByRole('button', { name: 'Apply 2 changes' }).waitFor();
    await page.reload();
  }
});
