import type { PastChange, RecordView } from '@roster/client';
import { expect, it } from 'vitest';
import { ViewChanges } from './view-changes.ts';

const resource = (state: string) => ({ state }) as RecordView;

function update(id: string, at: number, [before, after]: readonly [string, string]): PastChange {
  return {
    revision: `e.${at}`,
    changed_at: '',
    change: 'updated',
    resource_id: id,
    resource: resource(after),
    fields: { state: { before, after } },
  };
}

const fires = ['ALERTSTATE_INACTIVE', 'ALERTSTATE_FIRING'] as const;
const calms = ['ALERTSTATE_FIRING', 'ALERTSTATE_INACTIVE'] as const;

it('counts each resource once, by what has become of it', () => {
  const changes = new ViewChanges();
  changes.add([update('a', 1, fires), update('b', 1, calms), update('c', 2, fires), update('c', 3, calms)]);
  expect(changes.tally()).toEqual({ count: 3, firing: 1, resolved: 1 });
});

it('does not call it resolved when what fires is removed', () => {
  const changes = new ViewChanges();
  const removed = { ...update('a', 1, fires), change: 'removed', fields: undefined } as unknown as PastChange;
  const created = { ...update('b', 1, fires), change: 'created', fields: undefined } as unknown as PastChange;
  changes.add([removed, created]);
  expect(changes.tally()).toEqual({ count: 2, firing: 1, resolved: 0 });
});

it('does not call it resolved when what fires is silenced, or only pending', () => {
  const changes = new ViewChanges();
  const turns = ['ALERTSTATE_SUPPRESSED', 'ALERTSTATE_PENDING'].map(
    (state) => ['ALERTSTATE_FIRING', state] as const,
  );
  changes.add(turns.map((turn, at) => update(`r-${at}`, 1, turn)));
  expect(changes.tally()).toEqual({ count: 2, firing: 0, resolved: 0 });
});

it('keeps what a snapshot does not contain, seen from that snapshot', () => {
  const changes = new ViewChanges();
  changes.add([update('a', 1, fires), update('b', 2, fires), update('b', 3, calms)]);
  expect([...changes.takeUpTo('e.2')]).toEqual([
    ['a', 'firing'],
    ['b', 'firing'],
  ]);
  expect(changes.tally()).toEqual({ count: 1, firing: 0, resolved: 1 });
});

it('forgets what happened to a station that was deleted since', () => {
  const changes = new ViewChanges();
  changes.add([update('a', 7, fires)]);
  changes.takeUpTo('other.1');
  expect(changes.tally().count).toBe(0);
});
