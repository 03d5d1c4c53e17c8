/** A resource as a server lists it, of which a test says only what matters to it. */
export function resource(id: string, given: object = {}): Record<string, unknown> {
  return {
    resource_type: { key: 'resource_type.compute.vm', label: 'Virtual machine' },
    resource_id: id,
    create_time: '2026-01-31T08:00:00.000Z',
    sku: '1 core',
    state: 'ALERTSTATE_INACTIVE',
    display_name: `display ${id}`,
    alert_rules_count: 1,
    name: `name-${id}`,
    gpu_model: '',
    ...given,
  };
}
