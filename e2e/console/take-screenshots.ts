import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { setup as buildConsole } from '../../testing/build-console.ts';
import { RosterProcess } from '../testing/roster-process.ts';
import { launchChromium } from './testing/chromium.ts';

interface Picture {
  readonly name: string;
  readonly path: string;
  /** Whether it is taken in one look, because it is about what was found and not about the console. */
  readonly isTakenOnce?: boolean;
  /** Whether it shows what those see who are not signed in. */
  readonly isSignedOut?: boolean;
  /** What to wait for, and to do before it is taken. */
  readonly prepare: (page: Page) => Promise<void>;
}

/** Each picture is taken in both. */
const looks = [
  { suffix: '', colorScheme: 'light', locale: 'en' },
  { suffix: '-dark-chinese', colorScheme: 'dark', locale: 'zh' },
] as const;

const station = '/stations/demo/sample/zone-1/station-1';
const inventory =
  'resource_id,name,resource_type,alert_rules_count\n' +
  'res-41c4c307824d,gpu-node-r01-01.zone-1,resource_type.compute.gpu_node,9\n' +
  'rack-1,rack-1,resource_type.facility.rack_unit,0\n';

/** Rows, figures and facets have come. */
async function settled(page: Page): Promise<void> {
  for (const part of ['.row-link', '.figure', '.facet-value']) await page.locator(part).first().waitFor();
}

/** What the guide and the README show. */
const pictures: readonly Picture[] = [
  {
    name: 'console-station',
    path: station,
    prepare: settled,
  },
  {
    name: 'console-now',
    path: '/',
    prepare: (page) => page.locator('.alert-group').first().waitFor(),
  },
  {
    name: 'console-groups',
    path: `${station}?group_by=resource_type`,
    prepare: (page) => page.getByRole('figure').waitFor(),
  },
  {
    name: 'console-stations',
    path: '/stations',
    prepare: (page) => page.getByText('station-1').first().waitFor(),
  },
  {
    name: 'console-types',
    path: '/types',
    prepare: (page) => page.getByText('resource_type.compute.gpu_node').first().waitFor(),
  },
  {
    name: 'console-resource',
    path: `${station}?text=gpu-node&resource=res-41c4c307824d`,
    prepare: (page) => page.getByRole('complementary').getByText('product.gpu_cluster').waitFor(),
  },
  {
    name: 'console-import',
    path: `${station}/import`,
    async prepare(page) {
      const file = { name: 'inventory.csv', mimeType: 'text/csv', buffer: Buffer.from(inventory) };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByText('resource_type.facility.rack_unit').waitFor();
    },
  },
  {
    name: 'console-sign-in',
    path: '/',
    isSignedOut: true,
    prepare: (page) => page.getByPlaceholder('roster_…').waitFor(),
  },
  {
    name: 'console-tokens',
    path: '/tokens',
    prepare: (page) => page.getByText('nightly import').waitFor(),
  },
  ...[
    { name: 'find-firing', search: 'state=firing&order_by=state_since' },
    { name: 'find-recent', search: 'state=firing,pending&order_by=-state_since' },
    { name: 'find-uncovered', search: 'covered=false&resource_type=resource_type.compute.gpu_node' },
    { name: 'find-text', search: 'text=7f3' },
    { name: 'find-label', search: 'label.rack=r12' },
    { name: 'find-newest', search: 'order_by=-create_time' },
  ].map(({ name, search }) => ({
    name,
    path: `${station}?${search}`,
    isTakenOnce: true,
    prepare: settled,
  })),
];

const tokens = [
  { name: 'dashboard', role: 'reader', scopes: ['**'], expires_in: null },
  { name: 'nightly import', role: 'writer', scopes: ['subscriptions/demo/**'], expires_in: '90d' },
  {
    name: 'GPU team',
    role: 'admin',
    scopes: ['subscriptions/gpu/**', 'subscriptions/demo/resourceGroups/sample/**'],
    expires_in: '365d',
  },
];

interface Studio {
  readonly browser: Browser;
  readonly origin: string;
  readonly token: string;
}

async function take(
  { browser, origin, token }: Studio,
  { name, path: where, isSignedOut = false, prepare }: Picture,
  { suffix, ...look }: (typeof looks)[number],
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...look });
  if (!isSignedOut) await context.request.post(`${origin}/roster/v1/session`, { data: { token } });
  const page = await context.newPage();
  await page.goto(origin + where);
  await prepare(page);
  await page.screenshot({ path: path.join(import.meta.dirname, `../../docs/images/${name}${suffix}.png`) });
  await context.close();
}

async function makeTokens(origin: string, token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  for (const each of tokens) {
    const body = JSON.stringify(each);
    await fetch(`${origin}/roster/v1/tokens`, { method: 'POST', headers, body });
  }
}

await buildConsole();
const data = mkdtempSync(path.join(os.tmpdir(), 'roster-screenshots-'));
const server = new RosterProcess({
  ROSTER_PORT: '0',
  ROSTER_DATA: data,
  ROSTER_SAMPLE: 'true',
  ROSTER_AUTH: 'on',
});
const browser = await launchChromium();
try {
  const { origin } = await server.address();
  const [token] = /roster_\w{49}/.exec(server.stdout)!;
  await makeTokens(origin, token);
  for (const look of looks) {
    const isTaken = ({ isTakenOnce = false }: Picture) => !isTakenOnce || look === looks[0];
    for (const picture of pictures.filter(isTaken)) await take({ browser, origin, token }, picture, look);
  }
} finally {
  await browser.close();
  await server.stop();
  rmSync(data, { recursive: true });
}
