import type { Resource } from '@roster/contract';

/** The least that keeps states and their history: one table each, and a transaction per write. */
export interface PlainStore {
  fill(resources: readonly Resource[]): Promise<void>;
  /** Durable when it resolves. `body` is what Roster gets too. */
  write(body: string): Promise<void>;
  close(): Promise<void>;
}

export const plainColumns = [
  'resource_id',
  'name',
  'display_name',
  'type_key',
  'product',
  'alertable',
  'state',
  'sku',
  'gpu_model',
  'alert_rules_count',
  'create_time',
  'labels',
] as const;

export function plainValues(resource: Resource): (string | number)[] {
  return [
    resource.resourceId,
    resource.name,
    resource.displayName,
    resource.typeKey,
    resource.product,
    Number(resource.alertable),
    resource.state,
    resource.sku,
    resource.gpuModel,
    resource.alertRulesCount,
    resource.createTime,
    resource.labels,
  ];
}
