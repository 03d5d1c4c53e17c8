import { describe, expect, it } from 'vitest';
import { showFields, summariseFields } from './render-change.ts';

const since = { before: '2026-11-17T07:00:00.000Z', after: '2026-11-17T08:00:05.000Z' };
const state = { before: 'ALERTSTATE_INACTIVE', after: 'ALERTSTATE_FIRING' };
const rules = { before: 0, after: 2 };

describe('changed fields on one line', () => {
  it('begin with the state, in as few words as it takes, and leave out since when it is new', () => {
    expect(showFields({ alert_rules_count: rules, state_since: since, state })).toBe(
      'INACTIVE → FIRING, alert_rules_count 0 → 2',
    );
  });

  it('have a short time of a state that stayed', () => {
    expect(showFields({ state_since: since })).toBe('state_since 2026-11-17 07:00 → 2026-11-17 08:00');
    const now = new Date().toISOString();
    expect(showFields({ state_since: { before: now, after: null } })).toBe(
      `state_since ${now.slice(11, 16)} → null`,
    );
  });

  it('are all there and in full for programs', () => {
    expect(summariseFields({ state_since: since, state })).toBe(
      `state ${state.before} → ${state.after}, state_since ${since.before} → ${since.after}`,
    );
  });
});
