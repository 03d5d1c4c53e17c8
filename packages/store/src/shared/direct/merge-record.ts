import { type Resource, type ResourcePatch, resourceDefaults } from '@roster/contract';

/** What new resources of a type have where their records omit it. */
export interface TypeDefaults {
  readonly product: string;
  readonly alertable: boolean;
}

/** The resource that a record makes of the stored one, which may be missing. The SQL of it is `writtenColumns`. */
export function mergeRecord(
  record: ResourcePatch,
  stored: Resource | undefined,
  { nowMs, defaultsOf }: { nowMs: number; defaultsOf(typeKey: string): TypeDefaults | undefined },
): Resource {
  const before = stored ?? newResource(record, nowMs, defaultsOf(record.typeKey!));
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

function newResource(record: ResourcePatch, nowMs: number, defaults: TypeDefaults | undefined): Resource {
  return {
    ...resourceDefaults,
    ...defaults,
    resourceId: record.resourceId,
    name: record.name!,
    displayName: record.name!,
    typeKey: record.typeKey!,
    createTime: new Date(nowMs).toISOString(),
    stateSinceMs: nowMs,
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
