const fields = [
  'resource_id',
  'name',
  'display_name',
  'resource_type',
  'product',
  'alertable',
  'state',
  'alert_rules_count',
  'sku',
  'gpu_model',
  'create_time',
  'labels',
] as const;

type Example = Readonly<Record<(typeof fields)[number], string | number | boolean>>;

const examples: readonly Example[] = [
  {
    resource_id: 'vm-1',
    name: 'vm-1.zone-1',
    display_name: 'Web server 1',
    resource_type: 'resource_type.compute.vm',
    product: 'product.compute',
    alertable: true,
    state: 'ALERTSTATE_INACTIVE',
    alert_rules_count: 3,
    sku: '8 vCPU',
    gpu_model: '',
    create_time: '2026-01-31T12:00:00Z',
    labels: 'owner=web;rack=r01',
  },
  {
    resource_id: 'gpu-1',
    name: 'gpu-1.zone-1',
    display_name: 'GPU node 1',
    resource_type: 'resource_type.compute.gpu_node',
    product: 'product.gpu_cluster',
    alertable: true,
    state: 'ALERTSTATE_FIRING',
    alert_rules_count: 5,
    sku: '8 GPU',
    gpu_model: 'H100-SXM-80GB',
    create_time: '2026-02-01T08:30:00Z',
    labels: 'owner=research;rack=r02',
  },
];

const asYaml = (example: Example) =>
  fields
    .map((field, at) => `${at === 0 ? '- ' : '  '}${field}: ${JSON.stringify(example[field])}\n`)
    .join('');

/** Files with every field, to fill in. */
export const templates: Readonly<Record<'csv' | 'ndjson' | 'yaml', string>> = {
  csv: [fields, ...examples.map((each) => fields.map((field) => each[field]))]
    .map((line) => `${line.join(',')}\n`)
    .join(''),
  ndjson: examples.map((each) => `${JSON.stringify(each)}\n`).join(''),
  yaml: examples.map(asYaml).join(''),
};
