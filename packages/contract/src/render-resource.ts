import type { Resource } from './resource.ts';

/** The start of a listed resource: the only part that depends on the reader's language. */
export function renderResourceHead(typeKey: string, label: string): string {
  return `{"resource_type":{"key":${JSON.stringify(typeKey)},"label":${JSON.stringify(label)}}`;
}

/** The rest of a listed resource; head and tail together are one JSON object with the documented fields. */
export function renderResourceTail(resource: Resource): string {
  return (
    `,"resource_id":${JSON.stringify(resource.resourceId)},"create_time":"${resource.createTime}"` +
    `,"sku":${JSON.stringify(resource.sku)},"state":"${resource.state}"` +
    `,"display_name":${JSON.stringify(resource.displayName)}` +
    `,"alert_rules_count":${resource.alertRulesCount},"name":${JSON.stringify(resource.name)}` +
    `,"gpu_model":${JSON.stringify(resource.gpuModel)}}`
  );
}
