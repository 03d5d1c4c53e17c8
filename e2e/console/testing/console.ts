import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import type { RunningServer } from '../../testing/start-server.ts';
import { chromiumPath, launchChromium } from './chromium.ts';

/** A busy machine takes its time to paint. */
const browserTimeoutMs = 300_000;
const stepTimeoutMs = 30_000;
/** For `expect.poll`. */
export const patiently = { timeout: stepTimeoutMs };
let browser: Promise<Browser> | undefined;

/** A test in a real browser. In continuous integration nothing may be left out quietly, so there it runs and fails. */
export function inBrowser(name: string, test: () => Promise<void>): void {
  // Files share this module, so each asks for its own end.
  afterAll(closeBrowser);
  const note = chromiumPath === undefined ? ' (needs Chromium: apt-get install chromium)' : '';
  it.skipIf(chromiumPath === undefined && !process.env.CI)(
    `${name}${note}`,
    { timeout: browserTimeoutMs },
    test,
  );
}

async function closeBrowser(): Promise<void> {
  const opened = browser;
  browser = undefined;
  await (await opened)?.close();
}

export interface Tab {
  readonly page: Page;
  /** What the browser complained about: errors of scripts, and what the content security policy has stopped. */
  readonly complaints: readonly string[];
}

export async function openTab(
  server: RunningServer,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Tab> {
  browser ??= launchChromium();
  const context = await (await browser).newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(stepTimeoutMs);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Warning:|Minified React/.test(message.text()))
      complaints.push(message.text());
  });
  await page.goto(server.url + path);
  return { page, complaints };
}

/** As if another tab were in front: headless browsers show all of them. */
export async function hide(page: Page): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  `);
}

export const consolePath = (name = 'station') => `/stations/e2e/tests/zone-1/${name}`;

const rowsOf = (page: Page) => page.getByRole('grid').getByRole('row');

/** Waits until a row shows this text. */
export async function seeRow(page: Page, text: string): Promise<void> {
  await rowsOf(page).filter({ hasText: text }).first().waitFor();
}

/** The names of the rows that exist, from the top. They are read at once, since scrolling replaces rows. */
export async function rowNames(page: Page): Promise<string[]> {
  const placed = await page.locator('.table-row').evaluateAll((rows) =>
    rows.map((row) => ({
      at: Number(row.getAttribute('aria-rowindex')),
      name: row.querySelector('[role=gridcell]')?.textContent ?? '',
    })),
  );
  return placed.toSorted((a, b) => a.at - b.at).map(({ name }) => name);
}

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const content = await page.evaluate<number>('document.documentElement.scrollWidth');
  const { width } = page.viewportSize()!;
  expect(content).toBeLessThanOrEqual(width);
}
