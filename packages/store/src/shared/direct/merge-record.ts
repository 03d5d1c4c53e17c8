import { type Resource, type ResourcePatch, resourceDefaults } from '@roster/contract';

/** What new resources of a type have where their records omit it. */
export interface TypeDefaults {
  readonly product: string;
  readonly alertable: boolean;
}

/** What resources have where neither their records nor stored ones tell. */
export interface Defaults {
  readonly nowMs: number;
  defaultsOf(typeKey: string): TypeDefaults | undefined;
}

/** The resource that a record makes of the stored one, which may be missing. The SQL of it is `writtenColumns`. */
export function mergeRecord(
  record: ResourcePatch,
  before: Resource | undefined,
  defaults: Defaults,
): Resource {
  if (before === undefined) return newResource(record, defaults);
  const { nowMs } = defaults;
  const keepsState = record.state === undefined || record.state === before.state;
  return {
    resourceId: record.resourceId,
    name: record.name ?? before.name,
    displayName: record.displayName ?? before.displayName,
    typeKey: record.typeKey ?? before.typeKey,
    product: record.product ?? before.product,
    alertable: record.alertable ?? before.alertable,
    state: record.state ?? before.state,
    sku: record.sku ?? before.sku,
    gpuModel: record.gpuModel ?? before.gpuModel,
    alertRulesCount: record.alertRulesCount ?? before.alertRulesCount,
    createTime: record.createTime ?? before.createTime,
    stateSinceMs: record.stateSinceMs ?? (keepsState ? before.stateSinceMs : nowMs),
    labels: record.labels ?? before.labels,
  };
}

/** The resource that a whole record makes where there is none. */
export function newResource(record: ResourcePatch, { nowMs, defaultsOf }: Defaults): Resource {
  const isOfType = record.product !== undefined && record.alertable !== undefined;
  const { product, alertable } = (isOfType ? undefined : defaultsOf(record.typeKey!)) ?? resourceDefaults;
  return {
    resourceId: record.resourceId,
    name: record.name!,
    displayName: record.displayName ?? record.name!,
    typeKey: record.typeKey!,
    product: record.product ?? product,
    alertable: record.alertable ?? alertable,
    state: record.state ?? resourceDefaults.state,
    sku: record.sku ?? resourceDefaults.sku,
    gpuModel: record.gpuModel ?? resourceDefaults.gpuModel,
    alertRulesCount: record.alertRulesCount ?? resourceDefaults.alertRulesCount,
    createTime: record.createTime ?? new Date(nowMs).toISOString(),
    stateSinceMs: record.stateSinceMs ?? nowMs,
    labels: record.labels ?? resourceDefaults.labels,
  };
}

export function isSameResource(a: Resource, b: Resource): boolean {
  return (
    a.state === b.state &&
    a.stateSinceMs === b.stateSinceMs &&
    a.alertRulesCount === b.alertRulesCount &&
    a.name === b.name &&
    a.displayName === b.displayName &&
    a.typeKey === b.typeKey &&
    a.product === b.product &&
    a.alertable === b.alertable &&
    a.sku === b.sku &&
    a.gpuModel === b.gpuModel &&
    a.createTime === b.createTime &&
    a.labels === b.labels
  );
}
