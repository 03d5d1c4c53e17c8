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
