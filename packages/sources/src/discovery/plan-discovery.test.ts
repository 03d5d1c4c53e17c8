import { readLabels } from '@roster/contract';
import { describe, expect, it } from 'vitest';
import type { Discovery } from '../config/source.ts';
import type { Labels } from '../http/shape.ts';
import { discoveredId, type OwnResource, OwnResources } from './own-resources.ts';
import { planDiscovery } from './plan-discovery.ts';
import { wantedResources } from './wanted-resources.ts';

const vm = 'resource_type.compute.vm';
const database = 'resource_type.database.postgresql';

function discoveryWith(given: Partial<Discovery> = {}): Discovery {
  return {
    station: { subscription: 's', resourceGroup: 'g', zone: 'z', name: 't' },
    jobs: new Map([
      ['node', vm],
      ['postgres', database],
    ]),
    name: 'instance',
    stripPort: true,
    displayName: undefined,
    labels: new Map(),
    graceMs: 3_600_000,
    allowRemoval: 'half',
    maxResources: 20_000,
    ...given,
  };
}

const target = (job: string, instance: string, more: Labels = {}) => ({ job, instance, ...more });
const want = (targets: readonly Labels[], given: Partial<Discovery> = {}) =>
  wantedResources('prom', discoveryWith(given), targets);

function ownWith(name: string, given: Partial<OwnResource> = {}): ReadonlyMap<string, OwnResource> {
  const own = new OwnResources('prom');
  const resourceId = discoveredId('prom', name);
  own.put({ resourceId, name, displayName: name, typeKey: vm, labels: '{}', ...given });
  return own.byId;
}

describe('wantedResources', () => {
  it('makes one resource of all targets with its name, by the job that is first in the table', async () => {
    const targets = [target('postgres', 'a:9187'), target('node', 'a:9100'), target('node', 'b:9100')];
    for (const order of [targets, targets.toReversed()]) {
      const { byId } = await want(order);
      expect([...byId.values()].map(({ name, typeKey }) => [name, typeKey]).sort()).toEqual([
        ['a', vm],
        ['b', vm],
      ]);
    }
  });

  it('counts the targets of unknown jobs, and says why others are unusable', async () => {
    const { byId, unmapped, unusable } = await want([
      target('mystery', 'a'),
      target('mystery', 'b'),
      { instance: 'c' },
      { job: 'node' },
      target('node', 'x\ny'),
    ]);
    expect(byId.size).toBe(0);
    expect([...unmapped]).toEqual([
      ['mystery', 2],
      ['', 1],
    ]);
    expect(unusable.map(({ reason }) => reason)).toEqual([
      'it has no label instance',
      expect.stringContaining('its name must not contain control characters'),
    ]);
  });

  it('takes display name and labels from the target, without what a resource cannot have', async () => {
    const labels = new Map([
      ['rack', 'rack'],
      ['owner', 'team'],
      ['note', 'note'],
    ]);
    const given = target('node', 'a:1', { nodename: 'Node A', rack: 'r1', note: 'a,b' });
    const { byId } = await want([given], { displayName: 'nodename', labels });
    expect([...byId.values()][0]).toMatchObject({ displayName: 'Node A', labels: { rack: 'r1' } });
  });
});

describe('planDiscovery', () => {
  const plan = async (
    targets: readonly Labels[],
    own: ReadonlyMap<string, OwnResource>,
    given: Partial<Discovery> = {},
  ) => {
    const { byId } = await want(targets, given);
    const isTaken = ({ name }: { name: string }) => name.startsWith('theirs');
    return planDiscovery(byId, { own, isTaken }, discoveryWith(given));
  };

  it('makes what is new, leaves what others have, and finds what is missing', async () => {
    const targets = [target('node', 'a'), target('node', 'theirs')];
    const { made, changed, taken, missing } = await plan(targets, ownWith('gone'));
    expect(made).toEqual([{ resourceId: discoveredId('prom', 'a'), name: 'a', typeKey: vm, labels: '{}' }]);
    expect(taken.map(({ name }) => name)).toEqual(['theirs']);
    expect(changed).toEqual([]);
    expect(missing).toEqual([discoveredId('prom', 'gone')]);
  });

  it('changes only what targets decide, and keeps the labels of others', async () => {
    const labels = new Map([['rack', 'rack']]);
    const own = ownWith('a', { displayName: 'Mine', labels: '{"owner":"me","rack":"r1"}' });
    const same = await plan([target('node', 'a', { rack: 'r1' })], own, { labels });
    expect(same.changed).toEqual([]);
    const moved = await plan([target('postgres', 'a', { rack: 'r2' })], own, { labels });
    expect(moved.changed).toMatchObject([
      { typeKey: database, displayName: 'Mine', labels: '{"owner":"me","rack":"r2"}' },
    ]);
    const without = await plan([target('node', 'a')], own, { labels });
    expect(without.changed).toMatchObject([{ labels: '{"owner":"me"}' }]);
  });

  it('keeps the labels of a resource that has no room for more', async () => {
    const many = Object.fromEntries(Array.from({ length: 32 }, (_, at) => [`k${at}`, 'v']));
    const own = ownWith('a', { labels: (readLabels(many) as { labels: string }).labels });
    const labels = new Map([['rack', 'rack']]);
    expect((await plan([target('node', 'a', { rack: 'r' })], own, { labels })).changed).toEqual([]);
  });
});

describe('OwnResources', () => {
  it('knows its own by their ids, which belong to source and name', () => {
    const own = new OwnResources('prom');
    const resource = { name: 'a', displayName: 'a', typeKey: vm, labels: '{}' };
    own.put({ ...resource, resourceId: 'a' });
    own.put({ ...resource, resourceId: 'prom-0123456789abcdef' });
    own.put({ ...resource, resourceId: discoveredId('prom-2', 'a') });
    expect(own.byId.size).toBe(0);
    own.put({ ...resource, resourceId: discoveredId('prom', 'a') });
    expect(own.byId.size).toBe(1);
    own.put({ ...resource, name: 'renamed', resourceId: discoveredId('prom', 'a') });
    expect(own.byId.size).toBe(0);
  });
});
