import { describe, expect, it } from 'vitest';
import { formatBytes, formatCount, formatShare, formatTime } from './format.ts';
import { fullState, humanState, shortState, sortedStates, stateTone } from './state.ts';

describe('a share', () => {
  it('is rounded, but shows 0 and 100 per cent only when exact', () => {
    expect([formatShare(1, 2), formatShare(10, 10), formatShare(0, 7)]).toEqual(['50%', '100%', '0%']);
    expect([formatShare(9_999, 10_000), formatShare(1, 10_000)]).toEqual(['>99%', '<1%']);
  });

  it('of nothing is none', () => {
    expect(formatShare(0, 0)).toBe('–');
  });
});

describe('a time', () => {
  it('is shown to the second in UTC, at any precision', () => {
    expect(formatTime('2025-06-11T11:12:12.908Z')).toBe('2025-06-11 11:12:12');
    expect(formatTime('2025-06-11T11:12:12.123456789Z')).toBe('2025-06-11 11:12:12');
  });

  it('that is invalid is shown unchanged', () => {
    expect([formatTime(''), formatTime('yesterday')]).toEqual(['', 'yesterday']);
  });
});

describe('numbers', () => {
  it('are grouped', () => {
    expect([formatCount(1_000_000, 'en'), formatCount(1_000_000, 'zh')]).toEqual(['1,000,000', '1,000,000']);
  });

  it('of bytes have a unit', () => {
    expect([0, 999, 1_500, 23_400_000].map(formatBytes)).toEqual(['0 B', '999 B', '1.5 KB', '23 MB']);
  });
});

describe('states', () => {
  it('come most urgent first, then unknown ones, what is suppressed, and what is inactive', () => {
    const calm = { ALERTSTATE_INACTIVE: 3, ALERTSTATE_SUPPRESSED: 9 };
    const states = { ...calm, ALERTSTATE_NO_DATA: 2, ALERTSTATE_FIRING: 1 };
    expect(sortedStates(states).map(([state]) => stateTone(state))).toEqual([
      'firing',
      'other',
      'suppressed',
      'inactive',
    ]);
  });

  it('are short in the URL, and found again', () => {
    expect(['ALERTSTATE_FIRING', 'ALERTSTATE_NO_DATA'].map(shortState)).toEqual(['firing', 'no_data']);
    expect(['firing', 'ALERTSTATE_NO_DATA'].map(fullState)).toEqual([
      'ALERTSTATE_FIRING',
      'ALERTSTATE_NO_DATA',
    ]);
  });

  it('that are unknown are shown as words', () => {
    expect([humanState('ALERTSTATE_NO_DATA'), humanState('ALERTSTATE_')]).toEqual(['No data', 'ALERTSTATE_']);
  });
});
