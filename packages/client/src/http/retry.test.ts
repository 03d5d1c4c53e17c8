import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HttpError, RosterClientError } from '../errors.ts';
import { backoffMs, isTransient, parseRetryAfter, pause, retryDelayMs } from './retry.ts';

const refused = (status: number, retryAfterMs?: number) =>
  new HttpError('refused', { status, code: 'http_error', detail: 'refused', retryAfterMs });

describe('the wait before another attempt', () => {
  it('doubles up to a bound, and is at least half of that', () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), random, (failed, chance) => {
        const fullMs = Math.min(5000, 200 * 2 ** (failed - 1));
        const delayMs = backoffMs(failed, () => chance);
        expect(delayMs).toBeGreaterThanOrEqual(fullMs / 2);
        expect(delayMs).toBeLessThanOrEqual(fullMs);
      }),
    );
  });

  it('is as long as the server asks, unless it asks for too much', () => {
    expect(retryDelayMs(refused(429, 7000), 1, 30_000)).toBe(7000);
    expect(retryDelayMs(refused(429, 31_000), 1, 30_000)).toBeUndefined();
    expect(retryDelayMs(refused(503), 1, 30_000)).toBeLessThanOrEqual(200);
  });

  it('ends when the caller gives up', async () => {
    const controller = new AbortController();
    const startedAtMs = performance.now();
    setTimeout(() => controller.abort(), 10);
    await pause(60_000, controller.signal);
    await pause(60_000, controller.signal);
    expect(performance.now() - startedAtMs).toBeLessThan(30_000);
  });
});

describe('Retry-After', () => {
  const nowMs = Date.UTC(2026, 0, 31, 8, 0, 0);

  it.each([
    [null, undefined],
    ['3', 3000],
    ['0', 0],
    ['Sat, 31 Jan 2026 08:00:05 GMT', 5000],
    ['Sat, 31 Jan 2026 07:00:00 GMT', 0],
    ['soon', undefined],
  ])('of %j is %j ms', (header, expectedMs) => {
    expect(parseRetryAfter(header, nowMs)).toBe(expectedMs);
  });
});

describe('a failure', () => {
  it.each([
    [refused(429), true],
    [refused(503), true],
    [refused(500), false],
    [refused(404), false],
    [new RosterClientError('network_failure', ''), true],
    [new RosterClientError('timeout', ''), false],
    [new RosterClientError('malformed_answer', ''), false],
    [new Error(), false],
  ])('such as %s is worth another attempt: %j', (error, expected) => {
    expect(isTransient(error)).toBe(expected);
  });
});
