import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The system's own; undefined where there is none. */
export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function launchChromium(more: readonly string[] = []): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('Chromium is missing: apt-get install chromium');
  return chromium.launch({ executablePath: chromiumPath, args: [...flags, ...more] });
}
