import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { TimeSlicer } from './time-slicer.ts';

it('lets one of many computations go on in each turn of the event loop, one after the other', async () => {
  const steps: string[] = [];
  const compute = async (name: string) => {
    const slicer = new TimeSlicer();
    for (let step = 0; step < 3; step++) {
      await slicer.pause();
      steps.push(name);
    }
  };
  let isOver = false;
  const all = Promise.all(['a', 'b', 'c'].map(compute)).then(() => {
    isOver = true;
  });
  let most = 0;
  while (!isOver) {
    const before = steps.length;
    await nextTurn();
    most = Math.max(most, steps.length - before);
  }
  await all;
  expect(most).toBe(1);
  expect(steps.join('')).toBe('abcabcabc');
});

it('lets parties take turns, however many computations are for one of them', async () => {
  const steps: string[] = [];
  const compute = async (party: string) => {
    const slicer = new TimeSlicer({ party });
    for (let step = 0; step < 2; step++) {
      await slicer.pause();
      steps.push(party);
    }
  };
  await Promise.all(['a', 'a', 'a', 'a', 'b'].map(compute));
  expect(steps.lastIndexOf('b')).toBeLessThan(5);
});

it('is due when its slice is over', async () => {
  const start = performance.now();
  const slicer = new TimeSlicer({ sliceMs: 5 });
  while (!slicer.isDue);
  expect(performance.now() - start).toBeGreaterThanOrEqual(5);
  // The machine may interrupt the process for as long as the new slice takes.
  const isDueAfterPause = async () => {
    await slicer.pause();
    return slicer.isDue;
  };
  await expect.poll(isDueAfterPause).toBe(false);
});
