import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { setup as buildConsole } from '../testing/build-console.ts';
import { launchChromium } from './testing/chromium.ts';
import { RosterProcess } from './testing/roster-process.ts';

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly colorScheme: 'light' | 'dark';
  /** What to wait for, and to do before it is taken. */
  readonly prepare: (page: Page) => Promise<void>;
}

const station = '/stations/demo/sample/zone-1/station-1';
const inventory =
  'resource_id,name,resource_type,alert_rules_count\n' +
  'res-41c4c307824d,gpu-node-r01-01.zone-1,resource_type.compute.gpu_node,9\n' +
  'rack-1,rack-1,resource_type.facility.rack_unit,0\n';

/** What the guide and the README show. */
const pictures: readonly Picture[] = [
  {
    name: 'console-station',
    path: station,
    colorScheme: 'light',
    prepare: (page) => page.getByText('bm-core-001').first().waitFor(),
  },
  {
    name: 'console-resource',
    path: `${station}?resource_display_name_prefix=gpu-node&resource=res-41c4c307824d`,
    colorScheme: 'dark',
    prepare: (page) => page.getByRole('complementary').getByText('product.gpu_cluster').waitFor(),
  },
  {
    name: 'console-import',
    path: `${station}/import`,
    colorScheme: 'light',
    async prepare(page) {
      const file = { name: 'inventory.csv', mimeType: 'text/csv', buffer: Buffer.from(inventory) };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByRole('button', { name: 'Apply 2 changes' }).waitFor();
    },
  },
];

async function take(browser: Browser, origin: string, { name, path: where, colorScheme, prepare }: Picture) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme, locale: 'en' });
  await page.goto(origin + where);
  await prepare(page);
  await page.screenshot({ path: path.join(import.meta.dirname, `../docs/images/${name}.png`) });
  await page.close();
}

await buildConsole();
const data = mkdtempSync(path.join(os.tmpdir(), 'roster-screenshots-'));
const server = new RosterProcess({ ROSTER_PORT: '0', ROSTER_DATA: data, ROSTER_SAMPLE: 'true' });
const browser = await launchChromium();
try {
  const { origin } = await server.address();
  for (const picture of pictures) await take(browser, origin, picture);
} finally {
  await browser.close();
  await server.stop();
  rmSync(data, { recursive: true });
}
