import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { startServer } from '../testing/start-server.ts';
import { numbered, Station, stationPath } from '../testing/station.ts';
import { violations } from './testing/axe.ts';
import { consolePath, expectNoSidewaysScroll, inBrowser, openTab, seeRow } from './testing/console.ts';

/** Answers as a Prometheus with one alert, until it is told to fail. */
async function startPrometheus(
  host: string,
  annotations: Record<string, string> = {},
): Promise<{ url: string; fail(): void }> {
  let isDown = false;
  const alert = { labels: { alertname: 'Down', host }, annotations, state: 'firing' };
  const alerts = [{ ...alert, activeAt: '2026-01-31T08:00:00Z' }];
  const rule = { type: 'alerting', name: 'Down', query: 'unheard_of(x)', labels: {}, health: 'ok', alerts };
  const server = http.createServer((_, response) => {
    response.statusCode = isDown ? 500 : 200;
    response.setHeader('Content-Type', 'application/json');
    response.end(
      JSON.stringify({ status: 'success', data: { groups: [{ name: 'g', file: 'f', rules: [rule] }] } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail() {
      isDown = true;
    },
  };
}

async function startWith(url: string, stations = ['station']) {
  const source = {
    name: 'prom-east',
    prometheus: { url, interval: '1s' },
    stations: stations.map((name) => stationPath(name).slice(1)),
    tie: [{ label: 'host', to: 'name' }],
  };
  const server = await startServer({ environment: { ROSTER_SOURCES: JSON.stringify([source]) } });
  const station = await Station.create(server);
  await station.write([{ resource_id: 'a', name: 'vm-1' }]);
  return server;
}

inBrowser('shows the sources, what is not tied, and as of when states are while one is down', async () => {
  const prometheus = await startPrometheus('nobody');
  const server = await startWith(prometheus.url);

  const { page, complaints } = await openTab(server, '/sources');
  await page.getByRole('cell', { name: 'Up', exact: true }).waitFor();
  await page.getByText('{"alertname":"Down","host":"nobody"}').waitFor();
  await page.getByText('Roster cannot parse its expression').waitFor();
  expect(await violations(page)).toEqual([]);

  prometheus.fail();
  await page.getByRole('cell', { name: 'Down', exact: true }).locator('.tone-firing').waitFor();
  await page.getByText('1 down').waitFor();
  await page.getByText('answered 500').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.goto(`${server.url}${consolePath()}`);
  await page.getByText(/^States as of .* UTC\): prom-east does not answer\.$/).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);
  const paths = ['/', '/stations', '/resources', '', '/resources/a', '/changes'].map((path, at) =>
    at < 3 ? path : consolePath() + path,
  );
  for (const path of paths) {
    await page.goto(`${server.url}${path}`);
    await page.getByText(/^States as of .* UTC\): prom-east does not answer\.$/).waitFor();
    await page.getByText(/^States as of \d\d:\d\d$/).waitFor();
    expect(await page.getByText('Live', { exact: true }).count(), path).toBe(0);
    if (path === '/') await page.getByText('Nothing is known to be firing or pending').waitFor();
    if (path.endsWith('/a')) await page.getByText(/^No alert was known at .* UTC\)\.$/).waitFor();
  }
  await page.getByRole('heading', { name: 'No state change is known in this time' }).waitFor();
  await page.getByText(/^States after .* UTC\) are unknown\.$/).waitFor();
  await page.goto(`${server.url}${consolePath()}/changes?changed_before=2026-01-02T03:04:00Z`);
  await page.getByRole('heading', { name: 'No state changed in this time' }).waitFor();

  await page.goto(`${server.url}${consolePath()}?resource=a`);
  const panel = page.getByRole('complementary');
  await panel.getByText(/^States as of .* UTC\): prom-east does not answer\.$/).waitFor();
  await expectNoSidewaysScroll(page);
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

inBrowser('calms nobody until every source is known to answer', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(3, 'vm', { alertable: true, alert_rules_count: 2 }));
  const { page } = await openTab(server, '/');
  const calm = page.getByRole('heading', { name: 'Nothing is firing or pending' });
  const unsure = page.getByRole('heading', { name: 'Nothing is known to be firing or pending' });
  await calm.waitFor();
  await page.getByText('Live', { exact: true }).waitFor();

  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/roster/v1/sources', async (route) => {
    await isAnswered;
    await route.continue();
  });
  await page.reload();
  await unsure.waitFor();
  await page.getByText('Loading …').waitFor();
  answer();
  await calm.waitFor();

  await page.unroute('**/roster/v1/sources');
  await page.route('**/roster/v1/sources', (route) => route.fulfill({ status: 500, json: {} }));
  await unsure.waitFor();
  await page.getByText('States may be wrong').waitFor();
  await page.reload();
  await unsure.waitFor();
  await page.getByText('States may be wrong').waitFor();
  await page.unroute('**/roster/v1/sources');
  await calm.waitFor();

  const alerts = { total: 0, tied: 0, unmatched: 0, ambiguous: 0 };
  const source = { name: 'prom', kind: 'prometheus', stations: [], health: 'unknown', alerts };
  await page.route('**/roster/v1/sources', (route) => route.fulfill({ json: { sources: [source] } }));
  await unsure.waitFor();
});

inBrowser('doubts what is calm only in the stations of a source that does not answer', async () => {
  const server = await startServer();
  for (const name of ['station', 'elsewhere']) {
    const station = await Station.create(server, name);
    await station.write([{ resource_id: `of-${name}`, alertable: true, alert_rules_count: 2 }]);
  }
  const { page } = await openTab(server, '/');
  const fed = { stations: [stationPath('station').slice(1)], health: 'down', last_read: null };
  const source = { name: 'prom', kind: 'prometheus', ...fed, alerts: { total: 0, tied: 0 } };
  await page.route('**/roster/v1/sources', (route) => route.fulfill({ json: { sources: [source] } }));
  await page.goto(`${server.url}/resources`);
  await page.locator('[data-states=stale]').waitFor();
  await seeRow(page, 'of-station');
  const colors = () =>
    page.evaluate<string[]>(
      "[...document.querySelectorAll('.table-row .tone-inactive')].map((mark) => getComputedStyle(mark).color)",
    );
  const [elsewhere, station] = await colors();
  expect(elsewhere).not.toBe(station);
  await server.process.stop();
  await page.locator('[data-connection=lost]').waitFor({ state: 'attached' });
  expect(await colors()).toEqual([station, station]);
});

inBrowser(
  'marks the stations of a source that does not answer, and claims nothing it never read',
  async () => {
    const server = await startServer();
    for (const name of ['station', 'elsewhere']) {
      const station = await Station.create(server, name);
      await station.write(numbered(2, name, { alertable: true }));
    }
    const { page } = await openTab(server, '/');
    const fed = { stations: [stationPath('station').slice(1)], health: 'down', error: 'refuses connections' };
    const counts = {
      alerts: { total: 0, tied: 0, unmatched: 0, ambiguous: 0 },
      rules: null,
      discovery: null,
    };
    const since = { last_read: null, down_since: '2026-01-31T08:00:00Z', warnings: [] };
    const source = { name: 'prom', kind: 'prometheus', ...fed, ...counts, ...since };
    await page.route('**/roster/v1/sources', (route) => route.fulfill({ json: { sources: [source] } }));
    await page.goto(server.url);
    const banner = page.getByRole('link', { name: 'states and rule counts may be wrong' });
    await banner.waitFor();
    await page.getByText('Stations: station', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Firing ?' }).waitFor();
    await page.getByText('rule counts may be wrong', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);

    await page.getByRole('link', { name: 'Stations', exact: true }).first().click();
    const row = (name: string) =>
      page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
    await row('station').getByTitle('States may be wrong').waitFor();
    expect(await row('station').getByRole('cell').allTextContents()).toEqual(
      expect.arrayContaining(['?', '–']),
    );
    expect(await row('elsewhere').getByRole('cell').allTextContents()).toEqual(
      expect.arrayContaining(['0', '0%']),
    );
    expect(await row('elsewhere').getByTitle('States may be wrong').count()).toBe(0);
    expect(await violations(page)).toEqual([]);

    await page.goto(server.url + consolePath());
    await page.locator('.big-figure').getByText('The alert rules have never been read').waitFor();
    expect(await page.locator('.charts').getByText('Inactive, no rules').count()).toBe(0);
    await seeRow(page, 'Rules unknown');
    expect(await page.getByRole('gridcell', { name: 'No rules' }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);

    await page.goto(`${server.url}/resources`);
    await seeRow(page, 'Rules unknown');
    expect(await page.getByRole('gridcell', { name: 'Rules unknown' }).count()).toBe(2);
    expect(await page.getByRole('gridcell', { name: 'No rules' }).count()).toBe(2);

    await page.unroute('**/roster/v1/sources');
    const read = { ...source, last_read: '2026-01-31T08:00:00Z' };
    await page.route('**/roster/v1/sources', (route) => route.fulfill({ json: { sources: [read] } }));
    await page.goto(`${server.url}/stations`);
    await row('station')
      .getByTitle(/^States as of 2026-01-31 .*08:00 UTC/)
      .waitFor();
    expect(await row('station').getByRole('cell').allTextContents()).not.toContain('?');
    await page.getByRole('link', { name: 'prom does not answer' }).click();
    await page.getByText('refuses connections').waitFor();
  },
);

inBrowser('says which fields of a file the sources of a station decide', async () => {
  const prometheus = await startPrometheus('nobody');
  const server = await startWith(prometheus.url);
  const { page } = await openTab(server, `${consolePath()}/import`);
  await page.locator('input[type=file]').setInputFiles({
    name: 'states.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'resource_id,name,resource_type,state\na,vm-1,resource_type.compute.vm,ALERTSTATE_FIRING\n',
    ),
  });
  await page.getByText('state of 1 record will not be written: set by prom-east.').waitFor();
  expect(await page.getByText('The station already matches the file.').count()).toBe(0);
  expect(await violations(page)).toEqual([]);
});

inBrowser('shows the alerts of a resource with links out, and who changed its state', async () => {
  const annotations = {
    summary: 'vm-1 does not answer',
    runbook_url: 'https://runbooks.test/down',
    trap: 'javascript:alert(1)',
  };
  const prometheus = await startPrometheus('vm-1', annotations);
  const server = await startWith(prometheus.url);
  const { page, complaints } = await openTab(server, `${consolePath()}/resources/a`);
  const alerts = page.locator('.resource-alerts');
  await alerts.getByRole('heading', { name: 'Down' }).waitFor();
  await alerts.getByText('Firing', { exact: true }).waitFor();
  await alerts.getByText('host=vm-1').waitFor();
  const links = await alerts
    .getByRole('link')
    .evaluateAll((all) => all.map((each) => [each.getAttribute('href'), each.getAttribute('rel')]));
  expect(links).toEqual([
    ['https://runbooks.test/down', 'noopener noreferrer'],
    [`${prometheus.url}/graph?g0.expr=unheard_of%28x%29&g0.tab=1`, 'noopener noreferrer'],
  ]);
  await page.getByText('source:prom-east').first().waitFor();
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);
  await page.goto(`${server.url}${consolePath()}?resource=a`);
  await page.getByRole('tab', { name: 'Alerts 1' }).click();
  await alerts.getByRole('link', { name: 'https://runbooks.test/down' }).waitFor();
  await expectNoSidewaysScroll(page);
  expect(await violations(page)).toEqual([]);
  await page.goto(`${server.url}${consolePath()}/resources/a`);
  prometheus.fail();
  await page.getByText(/^States as of .* UTC\): prom-east does not answer\.$/).waitFor();
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

inBrowser('says on a phone, too, what to do about a station that does not exist', async () => {
  const prometheus = await startPrometheus('vm-1');
  const server = await startWith(prometheus.url, ['station', 'elsewhere']);
  const { page } = await openTab(server, '/sources', { viewport: { width: 375, height: 740 } });
  const warning = page
    .getByRole('status')
    .getByText('the station e2e/tests/zone-1/elsewhere does not exist; create it, or correct the source');
  await warning.waitFor();
  expect(await warning.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  const { x, width } = (await warning.boundingBox())!;
  expect(x + width).toBeLessThanOrEqual(375);
  await expectNoSidewaysScroll(page);
});
