import type { FoundResource } from '@roster/client';
import { expect, it } from 'vitest';
import { groupAlerts } from './group-alerts.ts';

function resource(id: string, given: Partial<FoundResource> & { type?: string }): FoundResource {
  const { type = 'vm', ...rest } = given;
  return {
    resource_id: id,
    station: 'a',
    state: 'ALERTSTATE_FIRING',
    state_since: '2026-11-17T04:00:00.000Z',
    resource_type: { key: type, label: type.toUpperCase() },
    ...rest,
  } as FoundResource;
}

const pending = 'ALERTSTATE_PENDING';

it('groups by station and type, the worst first and of these the longest', () => {
  const groups = groupAlerts([
    resource('new', { station: 'b', state_since: '2026-11-17T04:30:00.000Z' }),
    resource('waiting', { station: 'c', state: pending, state_since: '2026-11-01T00:00:00.000Z' }),
    resource('old', { type: 'gpu', state_since: '2026-11-16T00:00:00.000Z' }),
    resource('other', { type: 'vm' }),
    resource('with it', { type: 'gpu', state: pending }),
  ]);
  expect(groups.map(({ station, firing, pending: some }) => [station, firing, some])).toEqual([
    ['a', 2, 1],
    ['b', 1, 0],
    ['c', 0, 1],
  ]);
  const [{ types, since }] = groups as [(typeof groups)[0]];
  expect(since).toBe('2026-11-16T00:00:00.000Z');
  expect(
    types.map(({ label, firing, first }) => [label, firing, first.map((each) => each.resource_id)]),
  ).toEqual([
    ['GPU', 1, ['old', 'with it']],
    ['VM', 1, ['other']],
  ]);
});

it('names the first few of many', () => {
  const many = Array.from({ length: 40 }, (_, at) => resource(`r${at}`, {}));
  const [group] = groupAlerts(many);
  expect([group?.types[0]?.firing, group?.types[0]?.first.length]).toEqual([40, 3]);
});

it('puts the larger first of what began in the same minute', () => {
  const at = (second: string) => ({ state_since: `2026-11-17T04:00:${second}.000Z` });
  const groups = groupAlerts([
    resource('a', { station: 'one', ...at('01') }),
    resource('b', { station: 'two', ...at('20') }),
    resource('c', { station: 'two', ...at('30'), type: 'gpu' }),
    resource('d', { station: 'two', ...at('40'), type: 'gpu' }),
  ]);
  expect(groups.map(({ station, types }) => [station, ...types.map(({ key }) => key)])).toEqual([
    ['two', 'gpu', 'vm'],
    ['one', 'vm'],
  ]);
});
