import { expect } from 'vitest';
import { startServer } from '../testing/start-server.ts';
import { numbered, Station, stationPath } from '../testing/station.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { violations } from './testing/axe.ts';
import { consolePath, expectNoSidewaysScroll, inBrowser, openTab, patiently } from './testing/console.ts';
import { type PastHour, writePast } from './testing/past-trends.ts';

/** Quiet, with a spike 15 hours ago, nothing known from 11 to 6 hours ago, and two that fire since. */
function lastDay(hoursAgo: number): PastHour | undefined {
  if (hoursAgo === 15) return { peak: 41 };
  if (hoursAgo >= 6 && hoursAgo <= 11) return undefined;
  return hoursAgo < 6 ? { firing: 2, pending: 1 } : {};
}

async function startWithPast() {
  const data = temporaryDirectory();
  await writePast(data, 24 * 40, lastDay);
  return startServer({ data });
}

inBrowser('shows how a station developed, with the keyboard and as a table', async () => {
  const server = await startWithPast();
  const { page, complaints } = await openTab(server, consolePath(), { timezoneId: 'Asia/Shanghai' });
  await page.getByRole('button', { name: 'Trends' }).click();
  const trends = page.getByRole('region', { name: 'Trends', exact: true });
  const point = trends.getByRole('slider', { name: 'Point in time' });
  await point.waitFor();
  expect(new URL(page.url()).search).toBe('?trends=24h');
  await trends.getByText('Times in Asia/Shanghai, UTC+08:00').waitFor();
  const said = () => point.getAttribute('aria-valuetext');
  expect(await said()).toMatch(/Firing: 2, Pending: 1, Without rules: 100 of 800 \(88% covered\)$/);

  await point.focus();
  const pressUntilSaid = async (key: string, text: string) => {
    for (let steps = 0; steps < 20 && !(await said())!.includes(text); steps++)
      await page.keyboard.press(key);
    await trends.getByText(text).waitFor();
  };
  await pressUntilSaid('ArrowLeft', 'Firing: 0, at most 41');
  await pressUntilSaid('ArrowRight', 'No data: the server was not running');
  await trends.getByRole('button', { name: /^Peak: 41 firing, / }).click();
  expect(await said()).toContain('Firing: 0, at most 41');

  await trends.getByRole('button', { name: 'Show as a table' }).click();
  const rows = trends.getByRole('table').getByRole('row');
  expect(await rows.count()).toBe(1 + 25 - 5);
  expect(await rows.filter({ hasText: 'No data' }).count()).toBe(1);
  expect(await violations(page)).toEqual([]);

  await trends.getByRole('button', { name: '30 days' }).click();
  await expect.poll(() => new URL(page.url()).search, patiently).toBe('?trends=30d');
  await expect.poll(() => rows.count(), patiently).toBe(0);
  await trends.getByRole('button', { name: 'Show as a table' }).click();
  expect(await rows.count()).toBe(1 + 31);
  await trends.getByText('Times in UTC', { exact: true }).waitFor();

  await rows.nth(2).getByRole('link').click();
  await expect.poll(() => new URL(page.url()).pathname, patiently).toMatch(/\/changes$/);
  await page.goBack();
  await page.getByRole('button', { name: 'Trends' }).click();
  await trends.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

inBrowser('counts what fires now among the most there were', async () => {
  const server = await startWithPast();
  const station = new Station(server, stationPath('station'));
  await station.write(numbered(45, 'vm', { state: 'ALERTSTATE_FIRING' }));
  const { page } = await openTab(server, `${consolePath()}?trends=24h`);
  const trends = page.getByRole('region', { name: 'Trends', exact: true });
  await trends.getByRole('button', { name: /^Peak: 45 firing, / }).waitFor();
  expect(await trends.getByRole('slider').getAttribute('aria-valuetext')).toContain('at most 45');
});

inBrowser('fits a phone, and says so when nothing is known', async () => {
  const server = await startWithPast();
  for (const range of ['24h', '7d', '30d', '1y']) {
    const { page } = await openTab(server, `${consolePath()}?trends=${range}`, {
      viewport: { width: 375, height: 740 },
      colorScheme: 'dark',
      forcedColors: range === '7d' ? 'active' : 'none',
    });
    await page.getByRole('slider').waitFor();
    await page.getByRole('button', { name: 'Show as a table' }).click();
    await expectNoSidewaysScroll(page);
    expect([range, await violations(page)]).toEqual([range, []]);
  }
  const { page } = await openTab(await startServer({ environment: { ROSTER_SAMPLE: 'true' } }), '/', {
    locale: 'zh',
  });
  await page.goto(new URL('/stations/demo/sample/zone-1/station-1?trends=1y', page.url()).href);
  await page.getByText('尚无记录').waitFor();
});
