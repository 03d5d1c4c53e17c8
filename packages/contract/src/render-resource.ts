import type { Resource } from './resource.ts';

/** The start of a listed resource: the only part that depends on the reader's language. */
export function renderResourceHead(typeKey: string, label: string): string {
  return `{"resource_type":{"key":${jsonString(typeKey)},"label":${jsonString(label)}}`;
}

/** The rest of a listed resource; head and tail together are one JSON object with the documented fields. */
export function renderResourceTail(resource: Resource): string {
  const { resourceId, createTime, sku, state, displayName, alertRulesCount, name, gpuModel } = resource;
  const free = resourceId + sku + displayName + name + gpuModel;
  const quoted = needsNoEscapes.test(free) ? inQuotes : jsonString;
  return (
    `,"resource_id":${quoted(resourceId)},"create_time":"${createTime}","sku":${quoted(sku)}` +
    `,"state":"${state}","display_name":${quoted(displayName)},"alert_rules_count":${alertRulesCount}` +
    `,"name":${quoted(name)},"gpu_model":${quoted(gpuModel)}}`
  );
}

/** Looking through all texts at once spares escaping each of them, which few need. */
const needsNoEscapes = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function inQuotes(text: string): string {
  return `"${text}"`;
}

function jsonString(text: string): string {
  return JSON.stringify(text);
}
