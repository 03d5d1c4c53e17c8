import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { repeat } from './repeat.ts';

it('runs a task again and again, but never twice at once, and waits for it when stopped', async () => {
  const counts: number[] = [];
  let running = 0;
  const stop = repeat(1, async () => {
    counts.push(++running);
    await sleep(20);
    running--;
  });
  await expect.poll(() => counts.length, { interval: 1 }).toBeGreaterThan(3);
  await stop();
  expect(running).toBe(0);
  expect(new Set(counts)).toEqual(new Set([1]));
});
