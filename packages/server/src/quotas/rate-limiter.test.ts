import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RateLimiter } from './rate-limiter.ts';

it('lets a burst through, then one for each interval', () => {
  const limiter = new RateLimiter({ perSecond: 10, burst: 3 });
  expect([1, 2, 3, 4].map(() => limiter.take('a', 1000))).toEqual([2, 1, 0, -1]);
  expect(limiter.waitMs('a', 1000)).toBeCloseTo(100);
  expect(limiter.take('a', 1099)).toBe(-1);
  expect(limiter.take('a', 1100)).toBe(0);
  expect(limiter.take('a', 1100)).toBe(-1);
});

it('gives the whole burst back after a rest, and no more', () => {
  const limiter = new RateLimiter({ perSecond: 10, burst: 3 });
  while (limiter.take('a', 0) >= 0);
  expect([1, 2, 3, 4].map(() => limiter.take('a', 1e9))).toEqual([2, 1, 0, -1]);
});

it('counts each key by itself', () => {
  const limiter = new RateLimiter({ perSecond: 1, burst: 1 });
  expect(limiter.take('a', 0)).toBe(0);
  expect(limiter.take('a', 0)).toBe(-1);
  expect(limiter.take('b', 0)).toBe(0);
  expect(limiter.waitMs('a', 0)).toBe(1000);
  expect(limiter.waitMs('c', 0)).toBe(0);
});

it('keeps no more keys than it may, whatever comes', () => {
  const limiter = new RateLimiter({ perSecond: 1, burst: 1 }, 100);
  for (let index = 0; index < 10_000; index++) limiter.take(`address-${index}`, index);
  expect(limiter.keyCount).toBe(100);
  expect(limiter.take('address-9999', 9_999)).toBe(-1);
});

const rate = fc.record({
  perSecond: fc.integer({ min: 1, max: 50 }),
  burst: fc.integer({ min: 1, max: 20 }),
});
const gapsMs = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 200 });

it('never lets more through than the burst and what the time brings', () => {
  fc.assert(
    fc.property(rate, gapsMs, ({ perSecond, burst }, gaps) => {
      const limiter = new RateLimiter({ perSecond, burst });
      let nowMs = 1e9;
      let taken = 0;
      for (const gapMs of gaps) {
        nowMs += gapMs;
        if (limiter.take('a', nowMs) >= 0) taken++;
      }
      expect(taken).toBeLessThanOrEqual(burst + ((nowMs - 1e9) / 1000) * perSecond + 0.01);
    }),
  );
});

it('lets everyone through who waits as long as told', () => {
  fc.assert(
    fc.property(rate, gapsMs, ({ perSecond, burst }, gaps) => {
      const limiter = new RateLimiter({ perSecond, burst });
      let nowMs = 1e9;
      for (const gapMs of gaps) {
        nowMs += gapMs;
        if (limiter.take('a', nowMs) >= 0) continue;
        nowMs += limiter.waitMs('a', nowMs);
        expect(limiter.take('a', nowMs)).toBe(0);
      }
    }),
  );
});
