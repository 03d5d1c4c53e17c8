import { type Resource, resourceDefaults } from '@roster/contract';

/** A resource of which a test says only what matters to it. */
export function buildResource(given: Partial<Resource> & { resourceId: string }): Resource {
  return {
    ...resourceDefaults,
    name: `name-of-${given.resourceId}`,
    displayName: `Resource ${given.resourceId}`,
    typeKey: 'resource_type.compute.vm',
    createTime: '2026-01-01T00:00:00.000Z',
    stateSinceMs: Date.parse('2026-01-02T00:00:00.000Z'),
    ...given,
  };
}
