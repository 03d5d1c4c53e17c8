import { type Resource, resourceDefaults } from '@roster/contract';
import { describe, expect, it } from 'vitest';
import type { TieRule } from '../config/source.ts';
import { stripPort } from './strip-port.ts';
import { TieIndex } from './tie-index.ts';

function resource(resourceId: string, given: Partial<Resource> = {}): Resource {
  const texts = { name: resourceId, displayName: resourceId, typeKey: 'resource_type.x' };
  return {
    ...resourceDefaults,
    resourceId,
    ...texts,
    createTime: '2026-01-01T00:00:00.0Z',
    stateSinceMs: 0,
    ...given,
  };
}

const byName: TieRule = { labels: ['instance'], to: ['name'], stripPort: true };
const byHost: TieRule = { labels: ['node'], to: ['label.host'], stripPort: false };
const byBoth: TieRule = { labels: ['cluster', 'node'], to: ['label.cluster', 'name'], stripPort: false };

function indexOf(rules: readonly TieRule[], ...resources: Resource[]): TieIndex {
  const index = new TieIndex(rules);
  for (const each of resources) index.put(each);
  return index;
}

describe('TieIndex', () => {
  it('ties by a field, and by a label of the resource', () => {
    const rules = [byName, byHost];
    const index = indexOf(rules, resource('a', { name: 'vm-1' }), resource('b', { labels: '{"host":"n2"}' }));
    expect(index.tie({ instance: 'vm-1:9100' }, rules)).toEqual({ resourceId: 'a' });
    expect(index.tie({ node: 'n2' }, rules)).toEqual({ resourceId: 'b' });
    expect(index.tie({ node: 'n3' }, rules)).toEqual({ ambiguous: undefined });
  });

  it('lets the first rule decide that matches anything', () => {
    const rules = [byName, byHost];
    const index = indexOf(rules, resource('a', { name: 'x' }), resource('b', { labels: '{"host":"y"}' }));
    expect(index.tie({ instance: 'x', node: 'y' }, rules)).toEqual({ resourceId: 'a' });
    expect(index.tie({ instance: 'z', node: 'y' }, rules)).toEqual({ resourceId: 'b' });
  });

  it('ties by several labels together, and needs all of them', () => {
    const rules = [byBoth];
    const labels = (cluster: string) => `{"cluster":"${cluster}"}`;
    const index = indexOf(
      rules,
      resource('a', { name: 'n', labels: labels('east') }),
      resource('b', { name: 'n', labels: labels('west') }),
      resource('c', { name: 'n' }),
    );
    expect(index.tie({ cluster: 'west', node: 'n' }, rules)).toEqual({ resourceId: 'b' });
    expect(index.tie({ node: 'n' }, rules)).toEqual({ ambiguous: undefined });
    expect(index.tie({ cluster: '', node: 'n' }, rules)).toEqual({ ambiguous: undefined });
  });

  it('does not guess between several, nor ask a later rule', () => {
    const rules = [byName, byHost];
    const index = indexOf(
      rules,
      resource('b', { name: 'x', labels: '{"host":"y"}' }),
      resource('a', { name: 'x' }),
    );
    expect(index.tie({ instance: 'x', node: 'y' }, rules)).toEqual({ ambiguous: ['a', 'b'] });
  });

  it('follows changes, and notices which of them matter', () => {
    const rules = [byName];
    const index = indexOf(rules, resource('a', { name: 'x' }), resource('b', { name: 'x' }));
    const { generation } = index;
    index.put(resource('a', { name: 'x', state: 'ALERTSTATE_FIRING' }));
    expect([index.generation, index.resources.get('a')?.state]).toEqual([generation, 'ALERTSTATE_FIRING']);
    index.put(resource('a', { name: 'y' }));
    expect(index.tie({ instance: 'x' }, rules)).toEqual({ resourceId: 'b' });
    index.remove('b');
    expect(index.tie({ instance: 'x' }, rules)).toEqual({ ambiguous: undefined });
    expect(index.generation).toBeGreaterThan(generation);
  });

  it('is not fooled by odd texts', () => {
    const rules = [byName, byHost];
    const name = 'a"b\n机器';
    const index = indexOf(rules, resource('a', { name }), resource('b', { labels: '{"host":"x"}' }));
    expect(index.tie({ instance: name }, rules)).toEqual({ resourceId: 'a' });
    expect(index.tie(JSON.parse('{"__proto__":"x"}'), rules)).toEqual({ ambiguous: undefined });
  });
});

it.each([
  ['vm-1:9100', 'vm-1'],
  ['vm-1', 'vm-1'],
  ['10.0.0.1:80', '10.0.0.1'],
  ['[2001:db8::1]:9100', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['http://vm-1:80/metrics', 'http://vm-1:80/metrics'],
  [':9100', ''],
])('strips the port of %s', (text, expected) => {
  expect(stripPort(text)).toBe(expected);
});
