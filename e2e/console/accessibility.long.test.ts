import { expect } from 'vitest';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { numbered, Station } from '../testing/station.ts';
import { violations, violationsInLightAndDark } from './testing/axe.ts';
import {
  consolePath,
  expectNoSidewaysScroll,
  inBrowser,
  openTab,
  patiently,
  rowNames,
  seeRow,
} from './testing/console.ts';

async function startWithSample(): Promise<RunningServer> {
  return startServer({ environment: { ROSTER_SAMPLE: 'true' } });
}

const sample = '/stations/demo/sample/zone-1/station-1';
const views: [path: string, text: string][] = [
  ['/', 'Without rules'],
  ['/stations', 'station-1'],
  ['/stations?order_by=-firing&zone=zone-1', 'station-1'],
  ['/resources?state=firing&order_by=state_since', '29 resources'],
  [`${sample}?group_by=resource_type`, 'Area: resources'],
  [`${sample}?trends=7d`, 'Nothing recorded yet'],
  [sample, '1,204 resources'],
  [`${sample}?resource=res-41c4c307824d&resource_display_name_prefix=gpu`, 'Type key'],
  [`${sample}?state=firing&covered=true&alertable=true&order_by=-state_since`, 'Has alert rules'],
  [`${sample}?text=zzz&label.rack=r1`, 'No resources match'],
  [`${sample}?order_by=sku`, 'order_by must be'],
  [`${sample}?enabled_alert=maybe`, 'enabled_alert must be'],
  [`${sample}/import`, 'Drop a file here'],
  ['/import', 'Choose a station'],
  [`${sample}/resources/res-41c4c307824d`, 'The last 24 hours'],
  [
    `${sample}/changes?changed_after=2026-01-01T18:00:00Z&changed_before=2026-01-02T08:00:00Z`,
    'No state changed',
  ],
  [`${sample}/changes?state_changes=false`, 'roster serve --sample'],
  [`${sample}?group_by=label.rack`, 'Racks by name'],
  ['/types', 'Edit'],
  ['/sources', 'No sources are configured'],
  ['/tokens', 'Authentication is off'],
  ['/about', 'Connected'],
  ['/stations/no/such/station/here', 'Station not found'],
];

inBrowser('has no accessibility violations, in light and in dark, and fits 360 pixels', async () => {
  const server = await startWithSample();
  for (const [path, text] of views) {
    const { page, complaints } = await openTab(server, path);
    await page.getByText(text).first().waitFor();
    expect([path, await violationsInLightAndDark(page)]).toEqual([path, []]);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScroll(page);
    expect([path, await violationsInLightAndDark(page)]).toEqual([path, []]);
    expect([path, complaints]).toEqual([path, []]);
    await page.context().close();
  }
});

inBrowser('has no accessibility violations in what opens: types, columns, menus, dialogs', async () => {
  const server = await startWithSample();
  const { page } = await openTab(server, sample);
  await seeRow(page, 'bm-core-001');
  for (const name of ['IDs', 'Columns', 'Copy']) {
    await page.getByRole('button', { name, exact: true }).click();
    await page.locator('.popover').waitFor();
    expect([name, await violations(page)]).toEqual([name, []]);
    await page.keyboard.press('Escape');
    await page.locator('.popover').waitFor({ state: 'detached' });
  }
  await page.goto(`${server.url}/types`);
  await page.getByRole('button', { name: 'New type' }).click();
  await page.getByRole('dialog').waitFor();
  expect(await violations(page)).toEqual([]);
});

inBrowser('works by keyboard alone', async () => {
  const server = await startWithSample();
  const { page } = await openTab(server, '/stations');
  await page.getByRole('link', { name: 'station-1' }).focus();
  await page.keyboard.press('Enter');
  await seeRow(page, 'bm-core-001');
  await page.keyboard.press('/');
  await page.keyboard.type('gpu');
  await seeRow(page, 'gpu-node-r01-01');
  await page.getByText('160 resources').waitFor();
  while (!(await page.evaluate<boolean>("document.activeElement.getAttribute('role') === 'grid'"))) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('complementary').getByRole('heading', { name: 'gpu-node-r01-03' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('complementary').waitFor({ state: 'detached' });
  expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe('grid');
  await page.keyboard.press('End');
  await expect.poll(async () => (await rowNames(page)).at(-1), patiently).toBe('gpu-node-r20-08');
  await page.keyboard.press('Home');
  await expect.poll(async () => (await rowNames(page))[0], patiently).toBe('gpu-node-r01-01');
});

inBrowser('shows hostile names as text, with the layout intact', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  const names = [
    '<img src=x onerror="document.title=1"><script>alert(1)</script>',
    '\u202Egnp.exe \u2066nested',
    'm'.repeat(1000),
    '👩‍💻🏴‍☠️ rack 🔥',
    '机架一号',
  ];
  await station.write(
    names.map((display_name, at) => ({ resource_id: `r-${at}`, display_name, sku: display_name })),
  );
  await station.write(numbered(3));
  const { page, complaints } = await openTab(server, consolePath());
  await seeRow(page, 'vm-00000');
  const shown = await rowNames(page);
  for (const name of names) expect(shown).toContain(name);
  const heights = await page.evaluate<number[]>(
    "[...document.querySelectorAll('.table-row')].map((row) => row.offsetHeight)",
  );
  expect(new Set(heights)).toEqual(new Set([32]));
  await expectNoSidewaysScroll(page);
  for (const at of names.keys()) {
    await page.goto(`${server.url}${consolePath()}?resource=r-${at}`);
    await page.getByRole('complementary').getByText(`r-${at}`).first().waitFor();
    await expectNoSidewaysScroll(page);
  }
  expect(await page.title()).toBe('station · Roster');
  expect(complaints).toEqual([]);
});

inBrowser('speaks Chinese to browsers that do, labels included, and stays with what is chosen', async () => {
  const server = await startWithSample();
  const { page } = await openTab(server, sample, { locale: 'zh-CN' });
  await page.getByText('共 1,204 个资源').waitFor();
  await seeRow(page, '裸金属服务器');
  await page.getByRole('combobox', { name: '语言' }).selectOption('en');
  await seeRow(page, 'Bare-metal server');
  await page.reload();
  await page.getByText('1,204 resources').waitFor();
});
