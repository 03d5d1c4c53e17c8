import { expect } from 'vitest';
import { longOnly, shortOnly } from '../../testing/scale.ts';
import { startServer } from '../testing/start-server.ts';
import { numbered, Station } from '../testing/station.ts';
import { violations } from './testing/axe.ts';
import { consolePath, expectNoSidewaysScroll, inBrowser, openTab, patiently } from './testing/console.ts';

/** Ten resources; then 3 of them fire, 1 gets another SKU, and 1 resolves. */
async function startWithNight() {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(10, 'vm', { alertable: true, alert_rules_count: 2 }));
  await station.write(numbered(3, 'vm', { state: 'ALERTSTATE_FIRING' }));
  await station.write([{ resource_id: 'vm-00009', sku: 'large' }]);
  await station.write([{ resource_id: 'vm-00000', state: 'ALERTSTATE_INACTIVE' }]);
  return { server, station };
}

shortOnly(inBrowser)(
  'tells what happened, the newest first, with who did it, under a link that moves with the clock',
  async () => {
    const { server } = await startWithNight();
    const { page, complaints } = await openTab(server, `${consolePath()}?state=firing`);
    await page.getByRole('link', { name: 'Changes', exact: true }).click();
    await page.getByRole('heading', { name: 'Changes in station' }).waitFor();
    const revisions = page.locator('.revision');
    await expect.poll(() => revisions.count(), patiently).toBe(2);
    const [resolved, fired] = await revisions.all();
    expect(await fired!.getByRole('heading').textContent()).toMatch(/^\d\d:\d\d:\d\d anonymous$/);
    await fired!.getByText('3 firing', { exact: true }).waitFor();
    await resolved!.getByText('1 resolved', { exact: true }).waitFor();
    const line = resolved!.getByRole('listitem');
    expect(await line.textContent()).toMatch(/^vm-00000.*Firing.*Inactive$/);
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Remove filter: State' }).click();
    await page.getByRole('checkbox', { name: 'State changes only' }).uncheck();
    await expect.poll(() => revisions.count(), patiently).toBe(4);
    expect(new URL(page.url()).search).toBe('?range=24h&state_changes=false');
    await revisions.nth(1).getByText('large').waitFor();

    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(link).toBe(page.url());
    await page.getByRole('link', { name: 'Pin these times' }).click();
    await expect
      .poll(() => page.url(), patiently)
      .toMatch(/\?changed_after=.*&changed_before=.*&state_changes=false$/);
    await expect.poll(() => revisions.count(), patiently).toBe(4);
    await page.getByRole('link', { name: /^Before that: / }).click();
    await page.getByText('Nothing changed in this time').waitFor();
    await page.getByRole('link', { name: /^After that: / }).click();
    await expect.poll(() => revisions.count(), patiently).toBe(4);
    await revisions.last().getByRole('link', { name: 'vm-00003' }).click();
    await page.getByRole('heading', { name: 'vm-00003' }).waitFor();
    await page.getByRole('link', { name: 'Show in the changes of the station' }).click();
    await page.getByText('No state changed in this time').waitFor();
    expect(complaints).toEqual([]);
  },
);

longOnly(inBrowser)(
  'shows a large revision as one line with all totals, to be opened by keyboard, and what came before in one click',
  async () => {
    const server = await startServer();
    const station = await Station.create(server);
    await station.write(numbered(2_600, 'vm', { alertable: true }));
    await station.write([{ resource_id: 'vm-02599', state: 'ALERTSTATE_FIRING' }]);
    const storm = numbered(2_500, 'vm').map((resource, at) => ({
      ...resource,
      state: at < 1_900 ? 'ALERTSTATE_FIRING' : 'ALERTSTATE_PENDING',
    }));
    await station.write(storm);
    const { page } = await openTab(server, `${consolePath()}/changes`);
    const lines = page.locator('.revision-changes > li');
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    for (const total of ['1,900 firing', '600 pending', '2,500 changes']) {
      await page.getByText(total, { exact: true }).waitFor();
    }
    expect(await lines.count()).toBe(0);
    await press('Earlier changes');
    await page.getByRole('link', { name: 'vm-02599' }).waitFor();
    await page.getByRole('button', { name: 'Earlier changes' }).waitFor({ state: 'detached' });
    expect(await page.locator('.revision').count()).toBe(2);
    expect(await lines.count()).toBe(1);
    await press('Show changes');
    await expect.poll(() => lines.count(), patiently).toBe(1 + 12);
    await press('2,488 more');
    await expect.poll(() => lines.count(), patiently).toBe(1 + 212);
    expect(await violations(page)).toEqual([]);
    await press('Hide changes');
    await expect.poll(() => lines.count(), patiently).toBe(1);
  },
);

longOnly(inBrowser)('counts a revision of any size up to a bound, and says so', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(21_000, 'vm', { alertable: true }));
  await station.write(numbered(21_000, 'vm', { state: 'ALERTSTATE_FIRING' }));
  const { page } = await openTab(server, `${consolePath()}/changes`);
  await page.getByText('20,500+ firing', { exact: true }).waitFor();
  await page.getByText(/^Only the first 20,500 changes of this revision /).waitFor();
});

longOnly(inBrowser)(
  'takes a range of time, at 375 pixels and in Chinese, and says what it cannot read',
  async () => {
    const { server } = await startWithNight();
    const small = { viewport: { width: 375, height: 740 }, locale: 'zh' };
    const { page } = await openTab(server, `${consolePath()}/changes?stat=firing&range=1h`, small);
    await page.getByText('以下参数无法识别，已忽略：stat').waitFor();
    await expect.poll(() => page.locator('.revision').count(), patiently).toBe(2);
    await expectNoSidewaysScroll(page);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: '自定义' }).click();
    await page.getByLabel('从（本地时间）').fill('2026-01-02T03:04');
    await page.getByLabel('到（本地时间）').fill('2026-01-02T03:00');
    await page.getByText('结束时间必须晚于开始时间。').waitFor();
    expect(await page.getByRole('button', { name: '应用' }).isDisabled()).toBe(true);
    await page.getByLabel('到（本地时间）').fill('2026-01-02T04:00');
    await page.getByRole('button', { name: '应用' }).click();
    await page.getByText('这段时间内没有状态变更').waitFor();
    await expectNoSidewaysScroll(page);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: '昨夜' }).click();
    await page.getByText(/18:00 至 .*最新的在前/).waitFor();
  },
);

longOnly(inBrowser)('keeps the last hour the last hour in the links of the start page', async () => {
  const { server } = await startWithNight();
  const { page } = await openTab(server, '/');
  await page.getByRole('link', { name: '2 in the last hour' }).click();
  await page.getByText('2 resources', { exact: true }).waitFor();
  const search = () => new URL(page.url()).search;
  expect(search()).toBe('?state=firing&state_since_after=now-1h&order_by=state_since');
  await page.getByText('1 h ago', { exact: true }).waitFor();
  await page.getByRole('columnheader', { name: 'Since' }).getByRole('button').click();
  await expect.poll(search, patiently).toContain('state_since_after=now-1h');
  await page.getByRole('button', { name: 'Remove filter: In this state since, or later' }).click();
  await expect.poll(search, patiently).not.toContain('state_since_after');
});

longOnly(inBrowser)('says in which zone its times are, and gives each in UTC and local time', async () => {
  const { server } = await startWithNight();
  const { page } = await openTab(server, `${consolePath()}/changes`, { timezoneId: 'Asia/Shanghai' });
  await page.getByText(/\(Asia\/Shanghai, UTC\+08:00\), newest first$/).waitFor();
  const both = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\n.* \(\+08:00\)$/;
  const titles = () =>
    page.locator('time').evaluateAll((all) => all.map((each) => each.getAttribute('title') ?? ''));
  await expect.poll(async () => (await titles()).length, patiently).toBeGreaterThan(1);
  for (const title of await titles()) expect(title).toMatch(both);
  await page.goto(`${server.url}${consolePath()}/resources/vm-00001`);
  await page.getByText('Times in Asia/Shanghai, UTC+08:00').waitFor();
  const parts = await page.locator('.strip-parts > li').allTextContents();
  const [time, day] = ['\\d\\d:\\d\\d:\\d\\d', '(\\d{4}-\\d\\d-\\d\\d )?'];
  expect(parts).toEqual([
    expect.stringMatching(`^Since ${day}${time}Firing$`),
    expect.stringMatching(`^${day}${time} – ${day}${time}Inactive$`),
    expect.stringMatching(`^Until ${day}${time} Not in the station$`),
  ]);
  await page
    .getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(\d\d:\d\d:\d\d UTC\)$/)
    .first()
    .waitFor();
  await expect.poll(async () => (await titles()).length, patiently).toBeGreaterThan(4);
  for (const title of await titles()) expect(title).toMatch(both);
});
