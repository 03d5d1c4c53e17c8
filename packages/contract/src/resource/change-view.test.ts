import { describe, expect, it } from 'vitest';
import { viewChange } from './change-view.ts';
import type { Resource } from './resource.ts';

const resource: Resource = {
  resourceId: 'a',
  name: 'name-a',
  displayName: 'A',
  typeKey: 'resource_type.x.y',
  product: '',
  alertable: true,
  state: 'ALERTSTATE_INACTIVE',
  sku: '',
  gpuModel: '',
  alertRulesCount: 0,
  createTime: '2026-01-01T00:00:00.000Z',
  stateSinceMs: Date.parse('2026-01-02T00:00:00.000Z'),
  labels: '{"owner":"a","rack":"r1"}',
};
const label = () => 'Label';

describe('viewChange', () => {
  it('shows the fields of an update that differ', () => {
    const after = {
      ...resource,
      state: 'ALERTSTATE_FIRING',
      alertRulesCount: 2,
      typeKey: 'resource_type.x.z',
    };
    expect(viewChange(resource, after, label)).toMatchObject({
      change: 'updated',
      resource_id: 'a',
      resource: { state: 'ALERTSTATE_FIRING', resource_type: { key: 'resource_type.x.z', label: 'Label' } },
      fields: {
        resource_type: { before: 'resource_type.x.y', after: 'resource_type.x.z' },
        state: { before: 'ALERTSTATE_INACTIVE', after: 'ALERTSTATE_FIRING' },
        alert_rules_count: { before: 0, after: 2 },
      },
    });
  });

  it('shows each label that differs, and a new time of the same state', () => {
    const stateSinceMs = Date.parse('2026-01-03T00:00:00.000Z');
    const after = { ...resource, labels: '{"rack":"r2","zone":"z"}', stateSinceMs };
    expect(viewChange(resource, after, label).fields).toEqual({
      state_since: { before: '2026-01-02T00:00:00.000Z', after: '2026-01-03T00:00:00.000Z' },
      'labels.owner': { before: 'a', after: null },
      'labels.rack': { before: 'r1', after: 'r2' },
      'labels.zone': { before: null, after: 'z' },
    });
    const named = viewChange(
      { ...resource, labels: '{}' },
      { ...resource, labels: '{"constructor":"x"}' },
      label,
    );
    expect(named.fields).toEqual({ 'labels.constructor': { before: null, after: 'x' } });
    const firing = { ...resource, state: 'ALERTSTATE_FIRING', stateSinceMs };
    expect(Object.keys(viewChange(resource, firing, label).fields!)).toEqual(['state']);
  });

  it('shows created resources, and removed ones in their last state', () => {
    expect(viewChange(undefined, resource, label)).toMatchObject({
      change: 'created',
      resource: { name: 'name-a' },
    });
    expect(viewChange(resource, undefined, label)).toMatchObject({
      change: 'removed',
      resource: { name: 'name-a' },
    });
  });
});
