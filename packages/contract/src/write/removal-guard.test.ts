import { describe, expect, it } from 'vitest';
import { removalRefusal } from './removal-guard.ts';

describe('removalRefusal', () => {
  it.each([
    [10, 20, 'half', false],
    [19, 20, 'half', false],
    [20, 20, 'half', true],
    [1, 1, 'half', true],
    [0, 0, 'half', false],
    [10, 21, 'half', false],
    [11, 21, 'half', true],
    [11, 22, 'half', false],
    [1000, 1000, 'all', false],
    [5, 1000, 5, false],
    [6, 1000, 5, true],
    [1, 3, 0, true],
    [0, 0, 0, false],
  ] as const)('of %i removed out of %i with %s: refused is %s', (removed, size, allowance, isRefused) => {
    expect(removalRefusal(removed, size, allowance) !== undefined).toBe(isRefused);
  });

  it('says how to allow the removal', () => {
    const refusal = removalRefusal(90, 100, 'half')!;
    expect(refusal.code).toBe('removal_refused');
    expect(refusal.message).toContain('would remove 90 of 100 resources, more than half of them');
    expect(refusal.message).toContain('allow_removal=90');
  });
});
