import type { FoundResource } from '@roster/client';
import { expect, it } from 'vitest';
import { groupAlerts } from './group-alerts.ts';
import type { StateAlerts } from './use-alerts.ts';

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

/** As if nothing else fired or was pending. */
function loaded(resources: readonly FoundResource[]) {
  const isPending = ({ state }: FoundResource) => state === pending;
  return {
    firing: whole(resources.filter((each) => !isPending(each))),
    pending: whole(resources.filter(isPending)),
  };
}

function whole(resources: readonly FoundResource[]): StateAlerts {
  const stations = Map.groupBy(resources, ({ station }) => station);
  const byStation = Object.fromEntries([...stations].map(([station, some]) => [station, some.length]));
  return { total: resources.length, inLastHour: 0, resources, byStation, byType: new Map() };
}

it('groups by station and type, the worst first and of these the longest', () => {
  const groups = groupAlerts(
    loaded([
      resource('new', { station: 'b', state_since: '2026-11-17T04:30:00.000Z' }),
      resource('waiting', { station: 'c', state: pending, state_since: '2026-11-01T00:00:00.000Z' }),
      resource('old', { type: 'gpu', state_since: '2026-11-16T00:00:00.000Z' }),
      resource('other', { type: 'vm' }),
      resource('with it', { type: 'gpu', state: pending }),
    ]),
  );
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
  const [group] = groupAlerts(loaded(many));
  expect([group?.types[0]?.firing, group?.types[0]?.first.length]).toEqual([40, 3]);
});

it('puts the larger first of what began in the same minute', () => {
  const at = (second: string) => ({ state_since: `2026-11-17T04:00:${second}.000Z` });
  const groups = groupAlerts(
    loaded([
      resource('a', { station: 'one', ...at('01') }),
      resource('b', { station: 'two', ...at('20') }),
      resource('c', { station: 'two', ...at('30'), type: 'gpu' }),
      resource('d', { station: 'two', ...at('40'), type: 'gpu' }),
    ]),
  );
  expect(groups.map(({ station, types }) => [station, ...types.map(({ key }) => key)])).toEqual([
    ['two', 'gpu', 'vm'],
    ['one', 'vm'],
  ]);
});

it('counts what is not loaded, and has stations and types of which nothing is', () => {
  const { firing, pending: waiting } = loaded([
    resource('a1', {}),
    resource('b1', { station: 'b' }),
    resource('b2', { station: 'b' }),
    resource('c1', { station: 'c' }),
  ]);
  const groups = groupAlerts({
    firing: {
      ...firing,
      byStation: { a: 1, b: 3000, c: 40, d: 2 },
      byType: new Map([['b', { vm: 2900, gpu: 100 }]]),
    },
    pending: waiting,
  });
  expect(groups.map(({ station, firing: count, since }) => [station, count, since !== undefined])).toEqual([
    ['b', 3000, true],
    ['c', 40, true],
    ['a', 1, true],
    ['d', 2, false],
  ]);
  const typesOf = (name: string) =>
    groups
      .find(({ station }) => station === name)!
      .types.map(({ key, firing: count, first, areCounted }) => [key, count, first.length, areCounted]);
  expect(typesOf('a')).toEqual([['vm', 1, 1, true]]);
  expect(typesOf('b')).toEqual([
    ['vm', 2900, 2, true],
    ['gpu', 100, 0, true],
  ]);
  expect(typesOf('c')).toEqual([['vm', 1, 1, false]]);
  expect(typesOf('d')).toEqual([]);
});
