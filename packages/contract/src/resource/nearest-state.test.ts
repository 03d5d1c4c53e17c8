import { expect, it } from 'vitest';
import { nearestState } from './nearest-state.ts';

it.each([
  ['firing', 'FIRING'],
  ['FIRNG', 'FIRING'],
  ['ALERTSTATE_FIRINGG', 'FIRING'],
  ['ALERT_FIRING', 'FIRING'],
  ['AlertState_Pendin', 'PENDING'],
  ['supressed', 'SUPPRESSED'],
  ['inactiv', 'INACTIVE'],
  ['active', 'FIRING'],
])('takes %s for ALERTSTATE_%s', (given, meant) => {
  expect(nearestState(given)).toBe(`ALERTSTATE_${meant}`);
});

it.each(['on', 'ALERTSTATE_ON', 'ok', 'sad', 'warning', 'ALERTSTATE_', '', 'x'.repeat(1000)])(
  'takes %s for none',
  (given) => {
    expect(nearestState(given)).toBeUndefined();
  },
);

it('knows the states it is given', () => {
  expect(nearestState('activ', ['ALERTSTATE_ACTIVE', 'ALERTSTATE_INACTIVE'])).toBe('ALERTSTATE_ACTIVE');
});
