import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { LongestStall } from './longest-stall.ts';

function stall(ms: number): void {
  const start = performance.now();
  while (performance.now() - start < ms);
}

it('tells of the longest stall since it was last asked, wherever it was', async () => {
  const stalls = new LongestStall();
  onTestFinished(() => stalls.close());
  await delay(50);
  stall(300);
  await delay(100);
  stall(50);
  await delay(50);
  expect(stalls.takeMs()).toBeGreaterThan(250);
  stall(300);
  expect(stalls.takeMs()).toBeGreaterThan(250);
  expect(stalls.takeMs()).toBeLessThan(50);
});
