/** One resource type of the data set: how common it is and what its resources look like. */
export interface ResourceKind {
  readonly typeKey: string;
  readonly label: string;
  readonly products: readonly string[];
  /** Share of all resources, in percent. */
  readonly percent: number;
  /** Types that share a stem interleave in the order of display names. */
  readonly nameStem: string;
  readonly namedAfter: 'zone' | 'team';
  readonly gpu: boolean;
  readonly unit: string;
}

export const zones = ['east-1a', 'east-1b', 'west-1a', 'north-2a', 'south-1a', 'central-1a'] as const;

/** With 22 teams and 22 % virtual machines, `vm-<team>-` matches one resource in a hundred. */
export const teams = [
  ...['ads', 'audio', 'billing', 'chat', 'climate', 'docs', 'fraud', 'genome', 'geo', 'games', 'identity'],
  ...['label', 'maps', 'media', 'quant', 'rank', 'robot', 'search', 'shop', 'speech', 'video', 'vision'],
] as const;

export const gpuModels = [
  'NVIDIA H100 80GB',
  'NVIDIA H200 141GB',
  'NVIDIA A100 40GB',
  'NVIDIA L40S',
] as const;

export const products = [
  'product.compute',
  'product.container',
  'product.storage',
  'product.network',
  'product.database',
  'product.ai',
] as const;

export const resourceKinds: readonly ResourceKind[] = [
  kind('compute.gpu_node', 'GPU node', 12, 'gpu-node', 'zone', ['product.compute'], 'GPU'),
  kind('container.gpu_node', 'Container GPU node', 6, 'gpu-node', 'zone', ['product.container'], 'GPU'),
  kind('compute.cpu_node', 'CPU node', 5, 'cpu-node', 'zone', ['product.compute'], 'core'),
  kind('compute.vm', 'Virtual machine', 14, 'vm', 'team', ['product.compute'], 'vCPU'),
  kind('compute.gpu_vm', 'GPU virtual machine', 8, 'vm', 'team', ['product.compute', 'product.ai'], 'GPU'),
  kind('container.cluster', 'Cluster', 2, 'k8s', 'team', ['product.container'], 'node'),
  kind('storage.block_volume', 'Block volume', 18, 'vol', 'team', ['product.storage'], 'GiB'),
  kind('storage.file_system', 'File system', 4, 'fs', 'team', ['product.storage'], 'TiB'),
  kind('storage.bucket', 'Bucket', 6, 'data', 'team', ['product.storage', 'product.ai'], 'TiB'),
  kind('network.load_balancer', 'Load balancer', 5, 'svc', 'team', ['product.network'], 'rule'),
  kind('network.public_ip', 'Public IP address', 6, 'ip', 'zone', ['product.network'], 'Mbps'),
  kind('database.postgres', 'PostgreSQL instance', 4, 'db', 'team', ['product.database'], 'vCPU'),
  kind('ai.training_job', 'Training job', 6, 'train', 'team', ['product.ai'], 'GPU'),
  kind('ai.endpoint', 'Inference endpoint', 4, 'svc', 'team', ['product.ai'], 'GPU'),
];

function kind(
  ...[key, label, percent, nameStem, namedAfter, kindProducts, unit]: [
    key: string,
    label: string,
    percent: number,
    nameStem: string,
    namedAfter: 'zone' | 'team',
    products: string[],
    unit: string,
  ]
): ResourceKind {
  const typeKey = `resource_type.${key}`;
  return { typeKey, label, percent, nameStem, namedAfter, products: kindProducts, unit, gpu: unit === 'GPU' };
}
