import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { startServer } from '../testing/start-server.ts';
import { numbered, Station } from '../testing/station.ts';
import { consolePath, inBrowser, openTab, patiently, rowNames, seeRow } from './testing/console.ts';

async function startWithStation(count = 300) {
  const server = await startServer();
  const station = await Station.create(server);
  const vmType = { key: 'resource_type.compute.vm', label: 'Virtual machine' };
  const gpuType = { key: 'resource_type.compute.gpu_node', label: 'GPU node' };
  const vm = { resource_type: vmType, product: 'product.compute', state: 'ALERTSTATE_FIRING' };
  await station.write(numbered(count, 'vm', vm));
  await station.write(numbered(20, 'gpu', { resource_type: gpuType, product: 'product.gpu_cluster' }));
  return { server, station };
}

inBrowser('leads from the stations to a filtered list that can be shared and gone back from', async () => {
  const { server } = await startWithStation();
  const { page, complaints } = await openTab(server, '/stations');
  await page.getByRole('link', { name: 'station', exact: true }).click();
  await seeRow(page, 'gpu-00000');
  await page.getByText('320 resources').waitFor();
  await page.locator('.figure.alarm', { hasText: /^Firing 300 94%$/ }).waitFor();

  await page.getByRole('searchbox', { name: 'Name or ID contains' }).fill('vm-0001');
  await page.getByText('10 resources').waitFor();
  expect(new URL(page.url()).search).toBe('?text=vm-0001');
  await page
    .getByRole('region', { name: 'Summary' })
    .getByRole('link', { name: /^Firing 10/ })
    .click();
  await expect.poll(() => new URL(page.url()).searchParams.get('state'), patiently).toBe('firing');

  const { page: shared } = await openTab(server, page.url().slice(server.url.length));
  await shared.getByText('10 resources').waitFor();
  await expect
    .poll(() => rowNames(shared), patiently)
    .toEqual(Array.from({ length: 10 }, (_, at) => `vm-0001${at}`));

  await page.goBack();
  await expect.poll(() => new URL(page.url()).search, patiently).toBe('?text=vm-0001');
  await page.goBack();
  await page.getByText('320 resources').waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Stations' }).waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('filters by one type, several types, product and ids, each in the URL', async () => {
  const { server } = await startWithStation();
  const { page } = await openTab(server, consolePath());
  const facets = page.getByRole('navigation', { name: 'Filters' });
  await facets.getByRole('link', { name: /GPU node/ }).click();
  await page.getByText('20 resources').waitFor();
  expect(new URL(page.url()).search).toBe('?resource_type=resource_type.compute.gpu_node');
  await facets.getByRole('link', { name: /Virtual machine/ }).click();
  await page.getByText('320 resources').waitFor();
  expect(new URL(page.url()).searchParams.get('resource_types')?.split(',')).toHaveLength(2);

  await facets.getByRole('link', { name: /gpu_cluster/ }).click();
  await page.getByText('20 resources').waitFor();
  await page.getByRole('button', { name: 'IDs' }).click();
  await page.getByRole('textbox').last().fill('gpu-00003\ngpu-00004, vm-00001');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('2 resources').waitFor();
  await expect.poll(() => rowNames(page), patiently).toEqual(['gpu-00003', 'gpu-00004']);
  await page.getByRole('button', { name: 'Remove filter: Product' }).click();
  await page.getByText('3 resources').waitFor();
});

inBrowser('shows what the server says of a nonsense filter beside it', async () => {
  const { server } = await startWithStation();
  const { page } = await openTab(server, `${consolePath()}?enabled_alert=maybe`);
  await page.getByRole('alert').getByText('enabled_alert must be true or false').waitFor();
  await page.goto(`${server.url}${consolePath()}?resource_tpye=x`);
  await page.getByRole('alert').getByText('did you mean "resource_type"?').waitFor();
  await page.goto(
    `${server.url}${consolePath()}?resource_ids=${numbered(1001).map((each) => each.resource_id)}`,
  );
  await page.getByRole('alert').getByText('1000').waitFor();
});

inBrowser('says which filter to loosen when nothing matches', async () => {
  const { server } = await startWithStation(1_204);
  const { page } = await openTab(
    server,
    `${consolePath()}?resource_display_name_prefix=vm&product=product.nothing&created_after=now-2000d`,
  );
  await page.getByText('2,000 d ago').waitFor();
  await page.getByRole('button', { name: 'Without “Product”: 1,204 matches' }).waitFor();
  await page.goto(`${server.url}${consolePath()}?resource_display_name_prefix=gpu&product=product.nothing`);
  await page.getByText('No resources match all filters').waitFor();
  await page.getByRole('button', { name: 'Without “Product”: 20 matches' }).click();
  await page.getByText('20 resources').waitFor();
});

inBrowser('shows a resource with its fields, its JSON and its changes', async () => {
  const { server, station } = await startWithStation();
  await station.write([{ resource_id: 'vm-00007', state: 'ALERTSTATE_INACTIVE' }]);
  const { page } = await openTab(server, `${consolePath()}?resource_display_name_prefix=vm-00007`);
  await page.getByRole('gridcell', { name: 'vm-00007' }).first().click();
  const panel = page.getByRole('complementary');
  await panel.getByRole('definition').getByText('product.compute').waitFor();
  await panel.getByRole('tab', { name: 'JSON' }).click();
  expect(JSON.parse((await panel.locator('pre').textContent())!)).toMatchObject({ resource_id: 'vm-00007' });
  await panel.getByRole('tab', { name: 'Changes' }).click();
  await panel.getByRole('definition').getByText('Firing').waitFor();
  expect(new URL(page.url()).searchParams.get('resource')).toBe('vm-00007');
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
});

inBrowser(
  'keeps to one snapshot for those who read on, counts what changes, and shows it on demand',
  async () => {
    const { server, station } = await startWithStation();
    const { page } = await openTab(server, consolePath());
    await seeRow(page, 'gpu-00000');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('grid').press('End');
    await seeRow(page, 'vm-00299');
    await station.write([
      { resource_id: 'aaa-new' },
      { resource_id: 'gpu-00000', state: 'ALERTSTATE_FIRING' },
      { resource_id: 'vm-00299', state: 'ALERTSTATE_INACTIVE' },
    ]);
    const show = page.getByRole('button', { name: '3 changes in this view: 1 firing, 1 resolved' });
    await show.waitFor();
    expect((await rowNames(page)).at(-1)).toBe('vm-00299');
    await page.getByText('320 resources').waitFor();
    await show.click();
    await seeRow(page, 'aaa-new');
    await page.getByText('321 resources').waitFor();
  },
);

inBrowser('keeps the picture of the groups while the station changes', async () => {
  const { server, station } = await startWithStation();
  for (const path of [consolePath(), '/resources']) {
    const { page } = await openTab(server, `${path}?group_by=resource_type`);
    await page.getByRole('figure').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.evaluate(`
      window.isGone = false;
      new MutationObserver(() => { window.isGone ||= document.querySelector('.treemap') === null; })
        .observe(document.body, { childList: true, subtree: true });
    `);
    for (const state of ['ALERTSTATE_PENDING', 'ALERTSTATE_FIRING']) {
      await station.write(numbered(7, 'gpu', { resource_type: 'resource_type.compute.gpu_node', state }));
      const row = page.getByRole('row', { name: 'GPU node' });
      await row
        .getByRole('link', { name: '7', exact: true })
        .and(page.locator(`[href*="state=${state.slice(11).toLowerCase()}"]`))
        .waitFor();
    }
    expect(await page.evaluate('window.isGone')).toBe(false);
  }
});

inBrowser('goes on with a newer snapshot when the one on the screen is gone', async () => {
  const { server, station } = await startWithStation();
  const { page } = await openTab(server, consolePath());
  await seeRow(page, 'gpu-00000');
  await station.delete();
  await station.put();
  await station.write(numbered(500, 'again'));
  await page.getByRole('grid').press('End');
  await page.getByText('this is a newer one').waitFor();
  await page.getByText('500 resources').waitFor();
});

inBrowser('copies the list as something to run, and downloads it', async () => {
  const { server } = await startWithStation();
  const { page } = await openTab(server, `${consolePath()}?resource_display_name_prefix=gpu`);
  await seeRow(page, 'gpu-00000');
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('menuitem', { name: 'As curl' }).click();
  await page.getByText('Copied').waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied).toMatch(/^curl 'http.*resource_display_name_prefix=gpu/);
  await page.getByRole('button', { name: 'Download' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('station.csv');
  expect((await readFile(await download.path(), 'utf8')).trim().split('\r\n')).toHaveLength(21);
});
