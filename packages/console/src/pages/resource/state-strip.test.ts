import type { PastChange, RecordView } from '@roster/client';
import { expect, it } from 'vitest';
import { stateStrip } from './state-strip.ts';

const at = (hour: number) => new Date(Date.UTC(2026, 10, 17, hour)).toISOString();
const span = { fromMs: Date.parse(at(0)), toMs: Date.parse(at(24)) };
const hours = (parts: ReturnType<typeof stateStrip>) =>
  parts.map(({ state, fromMs, toMs }) => [
    state,
    (fromMs - span.fromMs) / 3.6e6,
    (toMs - span.fromMs) / 3.6e6,
  ]);

function turn(hour: number, before: string, after: string): PastChange {
  const resource = { state: after, state_since: at(hour) } as RecordView;
  const fields = { state: { before, after } };
  return { revision: 'e.1', changed_at: at(hour), change: 'updated', resource_id: 'a', resource, fields };
}

it('is one state where nothing has changed it', () => {
  const other = { ...turn(5, 'A', 'A'), fields: { sku: { before: '1', after: '2' } } };
  expect(hours(stateStrip({ state: 'A' }, [other], span))).toEqual([['A', 0, 24]]);
});

it('has a part for each state that it was in', () => {
  const changes = [turn(6, 'A', 'F'), turn(9, 'F', 'A')];
  expect(hours(stateStrip({ state: 'A' }, changes, span))).toEqual([
    ['A', 0, 6],
    ['F', 6, 9],
    ['A', 9, 24],
  ]);
});

it('begins with the last change before the span, and knows nothing before the resource was created', () => {
  const before = '2026-11-16T01:00:00.000Z';
  const resource = { state: 'F', state_since: before } as RecordView;
  const early = { ...turn(6, 'A', 'F'), changed_at: before, resource };
  expect(hours(stateStrip({ state: 'A' }, [early, turn(9, 'F', 'A')], span))).toEqual([
    ['F', 0, 9],
    ['A', 9, 24],
  ]);
  const created = { ...turn(6, '', 'A'), change: 'created', fields: undefined } as unknown as PastChange;
  expect(hours(stateStrip({ state: 'A' }, [created], span))).toEqual([
    [undefined, 0, 6],
    ['A', 6, 24],
  ]);
});

it('has a gap while the resource was removed', () => {
  const removed = { ...turn(6, '', 'A'), change: 'removed', fields: undefined } as unknown as PastChange;
  const created = { ...turn(9, '', 'A'), change: 'created', fields: undefined } as unknown as PastChange;
  expect(hours(stateStrip({ state: 'A' }, [removed, created], span))).toEqual([
    ['A', 0, 6],
    [undefined, 6, 9],
    ['A', 9, 24],
  ]);
});

it('believes what was written about when a state began', () => {
  const resource = { state: 'F', state_since: at(2) } as RecordView;
  const late = { ...turn(6, 'ALERTSTATE_INACTIVE', 'F'), resource };
  expect(hours(stateStrip({ state: 'F' }, [late], span))).toEqual([
    ['ALERTSTATE_INACTIVE', 0, 2],
    ['F', 2, 24],
  ]);
});

it('shows that an alert fired although it was pending before and silenced after', () => {
  const active = (change: PastChange) =>
    ({ ...change, resource: { ...change.resource, state_since: at(2) } }) as PastChange;
  const [inactive, pending] = ['ALERTSTATE_INACTIVE', 'ALERTSTATE_PENDING'];
  const [firing, suppressed] = ['ALERTSTATE_FIRING', 'ALERTSTATE_SUPPRESSED'];
  const changes = [turn(3, inactive, pending), turn(5, pending, firing), turn(8, firing, suppressed)].map(
    active,
  );
  expect(hours(stateStrip({ state: suppressed }, changes, span))).toEqual([
    [inactive, 0, 2],
    [pending, 2, 5],
    [firing, 5, 8],
    [suppressed, 8, 24],
  ]);
});
