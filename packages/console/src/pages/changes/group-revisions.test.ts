import type { PastChange, RecordView } from '@roster/client';
import { expect, it } from 'vitest';
import { groupDays, groupRevisions } from './group-revisions.ts';

function turn(revision: string, before: string, after: string, more: Partial<PastChange> = {}): PastChange {
  return {
    revision,
    changed_at: new Date(2026, 2, 10, 3).toISOString(),
    change: 'updated',
    resource_id: 'a',
    resource: { state: `ALERTSTATE_${after}` } as RecordView,
    fields: { state: { before: `ALERTSTATE_${before}`, after: `ALERTSTATE_${after}` } },
    ...more,
  };
}

it('puts what one revision changed together, the newest first, with who made it and how it turned', () => {
  const groups = groupRevisions([
    turn('e.9', 'INACTIVE', 'FIRING', { changed_by: 'source:prom' }),
    turn('e.9', 'FIRING', 'INACTIVE', { changed_by: 'source:prom' }),
    turn('e.9', 'INACTIVE', 'PENDING', { changed_by: 'source:prom' }),
    turn('e.10', 'PENDING', 'FIRING'),
    turn('e.10', 'FIRING', 'SUPPRESSED'),
  ]);
  expect(groups).toMatchObject([
    { revision: 'e.10', changedBy: undefined, counts: { firing: 1, suppressed: 1 } },
    { revision: 'e.9', changedBy: 'source:prom', counts: { firing: 1, pending: 1, resolved: 1 } },
  ]);
  expect(groups[1]!.changes).toHaveLength(3);
});

it('counts each change of a state once, as what the resource is now, and what came or went', () => {
  const [group] = groupRevisions([
    turn('e.1', 'PENDING', 'INACTIVE'),
    turn('e.1', 'INACTIVE', 'NO_DATA'),
    turn('e.1', '', 'FIRING', { change: 'created' }),
    turn('e.1', '', 'INACTIVE', { change: 'created' }),
    turn('e.1', '', 'FIRING', { change: 'removed' }),
    { ...turn('e.1', '', 'FIRING'), fields: { sku: { before: '', after: 'large' } } },
  ]);
  expect(group!.counts).toEqual({ inactive: 1, other: 1, firing: 1, created: 1, removed: 1 });
});

it('begins a new day at midnight by the clock on the wall', () => {
  const at = (day: number, hour: number) => ({
    changed_at: new Date(2026, 2, day, hour).toISOString(),
  });
  const groups = groupRevisions([
    turn('e.1', 'INACTIVE', 'FIRING', at(9, 23)),
    turn('e.2', 'FIRING', 'INACTIVE', at(10, 0)),
    turn('e.3', 'INACTIVE', 'FIRING', at(10, 5)),
  ]);
  expect(groupDays(groups).map(({ groups: some }) => some.map(({ revision }) => revision))).toEqual([
    ['e.3', 'e.2'],
    ['e.1'],
  ]);
});
