import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { startServer } from '../testing/start-server.ts';
import { Station } from '../testing/station.ts';
import { violations } from './testing/axe.ts';
import { expectNoSidewaysScroll, inBrowser, openTab, seeRow } from './testing/console.ts';

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
  for (const viewport of [
    { width: 375, height: 740 },
    { width: 768, height: 1024 },
    { width: 640, height: 400 },
  ]) {
    for (const [path, text] of views) {
      const { page } = await openTab(server, path, { viewport });
      await page.getByText(text).first().waitFor();
      await expectNoSidewaysScroll(page);
      expect([path, viewport, await violations(page)]).toEqual([path, viewport, []]);
      await page.context().close();
    }
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

inBrowser('paints a frame within 2 s on a slow link, with at most 200 KB of script', async () => {
  const server = await startWithSample();
  const { page } = await openTab(server, '/openapi.json');
  const scripts: Promise<number>[] = [];
  const wire = await page.context().newCDPSession(page);
  await wire.send('Network.enable');
  await wire.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 600,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  });
  page.on('response', (response) => {
    if (!response.url().endsWith('.js')) return;
    scripts.push(response.body().then((body) => gzipSync(body).length));
  });
  await page.goto(server.url, { waitUntil: 'commit' });
  await page.getByText('Block volume').first().waitFor();
  const paint = await page.evaluate<number>(
    "performance.getEntriesByName('first-contentful-paint')[0].startTime",
  );
  const bytes = (await Promise.all(scripts)).reduce((sum, each) => sum + each, 0);
  process.stdout.write(
    `first paint after ${Math.round(paint)} ms on a slow link; ${bytes} bytes of script\n`,
  );
  expect(paint).toBeLessThan(2_000);
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
