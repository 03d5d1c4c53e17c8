import type { ResourceType } from '@roster/contract';

/** One kind of resource in the sample: how many there are and what they look like. */
export interface SampleKind extends ResourceType {
  readonly count: number;
  /** Display name of the nth. */
  readonly nameOf: (index: number) => string;
  readonly skus: readonly string[];
  /** None unless given. */
  readonly gpuModels?: readonly string[];
}

const number = (index: number, digits: number) => String(index).padStart(digits, '0');
const pick = <T>(values: readonly T[], index: number): T => values[index % values.length]!;

export const sampleTeams = ['vision', 'speech', 'ranking', 'search', 'robotics', 'platform'];
const models = ['chat-7b', 'chat-70b', 'embed-large', 'rerank-base', 'vision-13b', 'asr-small'];

/** About 1 200 resources of a small GPU cloud. */
export const sampleKinds: readonly SampleKind[] = [
  {
    key: 'resource_type.compute.gpu_node',
    labels: { en: 'GPU node', zh: 'GPU 节点' },
    product: 'product.gpu_cluster',
    count: 160,
    alertable: true,
    nameOf: (index) => `gpu-node-r${number((index >> 3) + 1, 2)}-${number((index & 7) + 1, 2)}`,
    skus: ['8 GPU'],
    gpuModels: ['H100-SXM-80GB', 'H100-SXM-80GB', 'A100-SXM-80GB', 'H200-SXM-141GB'],
  },
  {
    key: 'resource_type.compute.bare_metal',
    labels: { en: 'Bare-metal server', zh: '裸金属服务器' },
    product: 'product.compute',
    count: 48,
    alertable: true,
    nameOf: (index) => `bm-core-${number(index + 1, 3)}`,
    skus: ['128 vCPU', '192 vCPU'],
  },
  {
    key: 'resource_type.compute.vm',
    labels: { en: 'Virtual machine', zh: '云服务器' },
    product: 'product.compute',
    count: 320,
    alertable: true,
    nameOf: (index) =>
      `vm-${pick(sampleTeams, index)}-${number(Math.floor(index / sampleTeams.length) + 1, 3)}`,
    skus: ['4 vCPU', '8 vCPU', '16 vCPU', '32 vCPU'],
    gpuModels: ['', '', '', 'L40S-48GB'],
  },
  {
    key: 'resource_type.storage.volume',
    labels: { en: 'Block volume', zh: '云硬盘' },
    product: 'product.storage',
    count: 280,
    alertable: true,
    nameOf: (index) =>
      `vol-${pick(sampleTeams, index)}-data-${number(Math.floor(index / sampleTeams.length) + 1, 3)}`,
    skus: ['200 GiB', '500 GiB', '2048 GiB'],
  },
  {
    key: 'resource_type.storage.file_system',
    labels: { en: 'Parallel file system', zh: '并行文件系统' },
    product: 'product.storage',
    count: 14,
    alertable: true,
    nameOf: (index) =>
      `pfs-${pick(sampleTeams, index)}-${number(Math.floor(index / sampleTeams.length) + 1, 2)}`,
    skus: ['100 TiB', '400 TiB'],
  },
  {
    key: 'resource_type.storage.bucket',
    labels: { en: 'Object bucket', zh: '对象存储桶' },
    product: 'product.storage',
    count: 90,
    alertable: false,
    nameOf: (index) =>
      `bucket-${pick(sampleTeams, index)}-${pick(['raw', 'curated', 'checkpoints'], Math.floor(index / sampleTeams.length))}-${number(Math.floor(index / 18) + 1, 2)}`,
    skus: ['1 TiB', '50 TiB'],
  },
  {
    key: 'resource_type.network.load_balancer',
    labels: { en: 'Load balancer', zh: '负载均衡' },
    product: 'product.network',
    count: 42,
    alertable: true,
    nameOf: (index) =>
      `lb-${pick(sampleTeams, index)}-${number(Math.floor(index / sampleTeams.length) + 1, 2)}`,
    skus: ['1 Gbit/s', '10 Gbit/s'],
  },
  {
    key: 'resource_type.network.fabric_switch',
    labels: { en: 'InfiniBand switch', zh: 'InfiniBand 交换机' },
    product: 'product.network',
    count: 36,
    alertable: true,
    nameOf: (index) => `ib-leaf-${number(index + 1, 2)}`,
    skus: ['64 port'],
  },
  {
    key: 'resource_type.container.cluster',
    labels: { en: 'Kubernetes cluster', zh: 'Kubernetes 集群' },
    product: 'product.container',
    count: 18,
    alertable: true,
    nameOf: (index) =>
      `k8s-${pick(sampleTeams, index)}-${pick(['prod', 'stage', 'lab'], Math.floor(index / sampleTeams.length))}`,
    skus: ['12 node', '48 node'],
  },
  {
    key: 'resource_type.ai.training_job',
    labels: { en: 'Training job', zh: '训练任务' },
    product: 'product.ai_platform',
    count: 112,
    alertable: false,
    nameOf: (index) => `train-${pick(models, index)}-run-${number(Math.floor(index / models.length) + 1, 3)}`,
    skus: ['16 GPU', '64 GPU', '256 GPU'],
    gpuModels: ['H100-SXM-80GB', 'A100-SXM-80GB'],
  },
  {
    key: 'resource_type.ai.inference_service',
    labels: { en: 'Inference service', zh: '推理服务' },
    product: 'product.ai_platform',
    count: 60,
    alertable: true,
    nameOf: (index) => `serve-${pick(models, index)}-${number(Math.floor(index / models.length) + 1, 2)}`,
    skus: ['2 GPU', '4 GPU', '8 GPU'],
    gpuModels: ['L40S-48GB', 'H100-SXM-80GB'],
  },
  {
    key: 'resource_type.database.postgresql',
    labels: { en: 'PostgreSQL instance', zh: 'PostgreSQL 实例' },
    product: 'product.database',
    count: 24,
    alertable: true,
    nameOf: (index) =>
      `pg-${pick(sampleTeams, index)}-${number(Math.floor(index / sampleTeams.length) + 1, 2)}`,
    skus: ['16 vCPU', '32 vCPU'],
  },
];
