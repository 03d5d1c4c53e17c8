import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { startServer } from '../testing/start-server.ts';
import { numbered, Station } from '../testing/station.ts';
import { violations } from './testing/axe.ts';
import {
  consolePath,
  expectNoSidewaysScroll,
  inBrowser,
  openTab,
  patiently,
  seeRow,
} from './testing/console.ts';

const sample = '/stations/demo/sample/zone-1/station-1';
const views: [path: string, text: string][] = [
  ['/', 'Block volume'],
  ['/stations', 'station-1'],
  ['/resources?state=firing', '29 resources'],
  [sample, '1,204 resources'],
  [`${sample}?group_by=resource_type`, 'Area: resources'],
  [`${sample}/changes?state_changes=false`, 'roster serve --sample'],
];
const startWithSample = () => startServer({ environment: { ROSTER_SAMPLE: 'true' } });

inBrowser('fits 375 and 768 pixels, and 200 % zoom', async () => {
  const server = await startWithSample();
  const viewports = [
    { width: 375, height: 740 },
    { width: 768, height: 1024 },
    { width: 640, height: 400 },
  ];
  for (const [path, text] of views) {
    const { page } = await openTab(server, path, { viewport: viewports[0]! });
    for (const viewport of viewports) {
      await page.setViewportSize(viewport);
      await page.getByText(text).first().waitFor();
      await expectNoSidewaysScroll(page);
      expect([path, viewport, await violations(page)]).toEqual([path, viewport, []]);
    }
    await page.context().close();
  }
});

inBrowser('shows the figures of stations and the current page, however little room there is', async () => {
  const server = await startServer();
  const [subscription, group, name] = ['s'.repeat(80), 'g'.repeat(60), 'n'.repeat(120)];
  const path = `/subscriptions/${subscription}/resourceGroups/${group}/zones/zone-1/telemetryStations/${name}`;
  const station = new Station(server, path);
  await station.put();
  await station.write([{ resource_id: 'r'.repeat(120), state: 'ALERTSTATE_FIRING' }]);
  for (const width of [768, 1280]) {
    const { page } = await openTab(server, '/stations', { viewport: { width, height: 740 } });
    await page.getByRole('link', { name }).waitFor();
    for (const column of ['Firing', 'Resources', 'Coverage', 'Resource group', 'Zone']) {
      const head = page.getByRole('columnheader', { name: column, exact: true });
      const { x, width: wide } = (await head.boundingBox())!;
      const isInView = expect.toSatisfy((right: number) => right <= width);
      expect([width, column, x + wide]).toEqual([width, column, isInView]);
    }
    expect(await violations(page)).toEqual([]);
  }
  for (const [at, width] of [['/', 375] as const, ['/resources?group_by=station', 375] as const]) {
    const { page } = await openTab(server, at, { viewport: { width, height: 740 } });
    await page.getByText('n'.repeat(20)).first().waitFor();
    await expectNoSidewaysScroll(page);
    const { x, width: wide } = (await page.locator('.tone-firing').last().boundingBox())!;
    expect(x + wide).toBeLessThanOrEqual(width);
  }
  const { page } = await openTab(server, `/stations/${subscription}/${group}/zone-1/${name}/import`);
  await page.setViewportSize({ width: 768, height: 740 });
  await page.getByText('Drop a file here').waitFor();
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 375, height: 740 });
  await expectNoSidewaysScroll(page);
  await page.goto(`${server.url}/stations`);
  await page.getByRole('link', { name }).waitFor();
  const outside = await page.locator('.place').evaluateAll((places) =>
    places.flatMap((place) => {
      const { right } = place.getBoundingClientRect();
      const text = place.querySelector('.text')!.getBoundingClientRect();
      return text.right > right + 1 ? [[place.textContent, text.right - right]] : [];
    }),
  );
  expect(outside).toEqual([]);
  for (const each of ['/import', '/about']) {
    await page.goto(server.url + each);
    const current = page.locator('nav [aria-current]');
    await current.waitFor();
    const { x, width } = (await current.boundingBox())!;
    expect([each, x >= 0, x + width <= 375]).toEqual([each, true, true]);
  }
});

inBrowser('keeps its meaning in forced colours, and prints', async () => {
  const server = await startWithSample();
  for (const [path, text] of views) {
    const { page } = await openTab(server, path, { forcedColors: 'active' });
    await page.getByText(text).first().waitFor();
    expect([path, await violations(page)]).toEqual([path, []]);
    await page.emulateMedia({ media: 'print', forcedColors: 'none' });
    expect(await page.getByRole('banner').isVisible()).toBe(false);
    await page.getByText(text).first().waitFor();
    await page.context().close();
  }
});

const latencyMs = 600;
const bytesPerMs = 50;

inBrowser('paints a frame within 2 s on a slow link, with at most 200 KB of script', async () => {
  const server = await startWithSample();
  const { page } = await openTab(server, '/openapi.json');
  const scripts: Promise<number>[] = [];
  const wire = await page.context().newCDPSession(page);
  await wire.send('Network.enable');
  await wire.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerMs * 1_000,
    uploadThroughput: bytesPerMs * 1_000,
  });
  page.on('response', (response) => {
    if (!response.url().endsWith('.js')) return;
    scripts.push(response.body().then((body) => gzipSync(body).length));
  });
  // The first frame needs no script.
  const painted = Promise.withResolvers<void>();
  await page.route('**/*.js', async (route) => {
    await painted.promise;
    await route.continue();
  });
  await page.goto(server.url, { waitUntil: 'commit' });
  const paintOf = () =>
    page.evaluate<number | undefined>("performance.getEntriesByName('first-contentful-paint')[0]?.startTime");
  await expect.poll(paintOf, patiently).toBeGreaterThan(0);
  const paint = (await paintOf())!;
  const needed = await page.evaluate<number[]>(`
    [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource').filter((each) => each.renderBlockingStatus === 'blocking'),
    ].map(({ encodedBodySize }) => encodedBodySize)
  `);
  const linkMs = needed.reduce((sum, size) => sum + latencyMs + size / bytesPerMs, 0);
  painted.resolve();
  await page.getByText('Block volume').first().waitFor();
  const bytes = (await Promise.all(scripts)).reduce((sum, each) => sum + each, 0);
  process.stdout.write(
    `first paint after ${Math.round(paint)} ms on a slow link; ${bytes} bytes of script\n`,
  );
  // What the link takes: the machine may add to it.
  expect(needed.length).toBeGreaterThan(1);
  expect(linkMs).toBeLessThan(2_000);
  expect(bytes).toBeLessThan(200_000);
});

inBrowser('reaches the table within 12 tabs', async () => {
  const server = await startWithSample();
  const { page } = await openTab(server, sample);
  await seeRow(page, 'bm-core-001');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe('grid');
});

inBrowser('writes into the tiles of a treemap only what fits', async () => {
  const server = await startWithSample();
  for (const width of [375, 768]) {
    const { page } = await openTab(server, `${sample}?group_by=resource_type`, {
      viewport: { width, height: 740 },
    });
    await page.getByRole('figure').waitFor();
    const outside = await page.locator('.treemap-tile').evaluateAll((tiles) =>
      tiles.flatMap((tile) => {
        const box = tile.getBoundingClientRect();
        return [...tile.children]
          .map((each) => each.getBoundingClientRect())
          .filter(({ right, bottom }) => right > box.right + 1 || bottom > box.bottom + 1)
          .map(({ right, bottom }) => [tile.textContent, right - box.right, bottom - box.bottom]);
      }),
    );
    expect([width, outside]).toEqual([width, []]);
  }
});

inBrowser(
  'says which parameter of the console it ignores, and in its own words what matches nothing',
  async () => {
    const server = await startServer();
    await (await Station.create(server)).write(numbered(3, 'vm', { sku: 'small' }));
    const { page } = await openTab(server, `${consolePath()}?group_by=nope`);
    await seeRow(page, 'vm-00000');
    await page.getByText('Ignored, because it cannot be read: group_by').waitFor();
    await page.goto(`${server.url}${consolePath()}?sku=smal`);
    await page.getByText('Nothing in the station has the SKU "smal". Did you mean "small"?').waitFor();
  },
);

inBrowser('shows its own page where a path is mistyped', async () => {
  const server = await startServer();
  const { page } = await openTab(server, '/about');
  const answer = await page.goto(`${server.url}/nothing-here`);
  expect(answer!.status()).toBe(404);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await expect.poll(() => page.title(), patiently).toBe('Page not found · Roster');
});

inBrowser('fits the navigation into 1024 pixels, and fades the edge behind which it goes on', async () => {
  const server = await startWithSample();
  const { page } = await openTab(server, '/', { viewport: { width: 1024, height: 768 } });
  const nav = page.getByRole('navigation', { name: 'Main' });
  const cut = () => nav.getAttribute('data-cut');
  await nav.getByRole('link', { name: 'About' }).waitFor();
  expect(await cut()).toBe('');
  await page.setViewportSize({ width: 375, height: 740 });
  await expect.poll(cut, patiently).toBe('end');
  await page.goto(`${server.url}/types`);
  await expect.poll(cut, patiently).toBe('start end');
  await nav.getByRole('link', { name: 'About' }).click();
  await expect.poll(cut, patiently).toBe('start');
});

inBrowser('shows on a phone since when each resource is in its state, and one menu for files', async () => {
  const server = await startWithSample();
  const { page } = await openTab(server, sample, { viewport: { width: 375, height: 750 } });
  await seeRow(page, 'bm-core-001');
  const since = (await page.getByRole('columnheader', { name: 'Since' }).boundingBox())!;
  expect(since.x + since.width).toBeLessThanOrEqual(375);
  const tops = await page
    .locator('.filter-bar :is(.button, .choice)')
    .evaluateAll((buttons) => buttons.map((each) => each.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  expect(await page.getByRole('link', { name: 'Import' }).filter({ visible: true }).count()).toBe(1);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'As curl' }).waitFor();
  expect(await violations(page)).toEqual([]);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV', exact: true }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe('station-1.csv');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Import a file' }).click();
  await page.getByText('Drop a file here').waitFor();
});

inBrowser('brings the open resource into view, wherever it is in the list', async () => {
  const server = await startWithSample();
  for (const viewport of [
    { width: 1024, height: 768 },
    { width: 1440, height: 900 },
  ]) {
    const { page } = await openTab(server, `${sample}?resource=res-41c4c307824d`, { viewport });
    const open = page.locator('.table-row.open');
    const isInView = async () => {
      if ((await open.count()) === 0) return false;
      const table = (await page.getByRole('grid').boundingBox())!;
      const { y, height } = (await open.boundingBox())!;
      return y >= table.y && y + height <= Math.min(table.y + table.height, viewport.height);
    };
    await expect.poll(isInView, patiently).toBe(true);
    await page.locator('.figure').first().waitFor();
    await expect.poll(isInView, patiently).toBe(true);
  }
});

inBrowser('leaves out columns without a value, until they are asked for', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write([...numbered(30, 'vm', { sku: 'small' }), ...numbered(30, 'volume')]);
  const { page } = await openTab(server, consolePath());
  await seeRow(page, 'vm-00000');
  const columns = () => page.getByRole('columnheader').allTextContents();
  await expect.poll(columns, patiently).not.toContain('GPU model');
  expect(await columns()).toContain('SKU');
  await page.getByRole('searchbox').fill('volume');
  await page.getByText('30 resources', { exact: true }).waitFor();
  await expect.poll(columns, patiently).not.toContain('SKU');
  await page.getByRole('searchbox').fill('');
  await page.getByText('60 resources', { exact: true }).waitFor();
  await expect.poll(columns, patiently).toContain('SKU');
  expect(await columns()).not.toContain('GPU model');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByText('GPU model', { exact: true }).click();
  await page.keyboard.press('Escape');
  await expect.poll(columns, patiently).toContain('GPU model');
});

inBrowser('says of an empty station that it is empty', async () => {
  const server = await startServer();
  await Station.create(server);
  const { page } = await openTab(server, consolePath());
  const summary = page.getByRole('region', { name: 'Summary' });
  await summary.getByText('No resources yet.').first().waitFor();
  expect(await summary.getByText('have alert rules').count()).toBe(0);
  await page.goto(`${server.url}${consolePath()}?text=vm`);
  await summary.getByText('No resource matches.').first().waitFor();
  await page.goto(server.url + consolePath());
  await summary.getByRole('link', { name: 'Import a file' }).click();
  await page.getByText('Drop a file here').waitFor();
  expect(await page.getByText('This station does not exist yet').count()).toBe(0);
});

inBrowser('writes the zeros of a station as high as its other numbers on a phone', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write([{ resource_id: 'a', state: 'ALERTSTATE_FIRING' }]);
  const { page } = await openTab(server, '/stations', { viewport: { width: 375, height: 740 } });
  await page.locator('td[data-label="Firing"]').waitFor();
  const heightOf = (cell: string) =>
    page.locator(cell).evaluate((element) => {
      const range = element.ownerDocument.createRange();
      range.selectNodeContents(element);
      return range.getClientRects()[0]!.top - element.closest('td')!.getBoundingClientRect().top;
    });
  const linked = await heightOf('td[data-label="Firing"] a');
  expect(Math.abs((await heightOf('td[data-label="Pending"]')) - linked)).toBeLessThan(1);
});
