import type { ListedResource } from '../schemas/listing.ts';
import { isoTime } from './iso-time.ts';
import type { Resource } from './resource.ts';

/** The start of a listed resource, which alone depends on the language. */
export function renderResourceHead(typeKey: string, label: string): string {
  return `{"resource_type":{"key":${jsonString(typeKey)},"label":${jsonString(label)}}`;
}

/** The fields of the tail of a listed resource, in their order. */
export const resourceTailFields = [
  'resource_id',
  'create_time',
  'sku',
  'state',
  'display_name',
  'alert_rules_count',
  'name',
  'gpu_model',
] as const satisfies readonly (keyof ListedResource)[];

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

/** Parses the result of `renderResourceTail`. */
export function parseResourceTail(
  tail: string,
): Omit<Resource, 'typeKey' | 'product' | 'alertable' | 'stateSinceMs' | 'labels'> {
  const listed: Omit<ListedResource, 'resource_type'> = JSON.parse(`{${tail.slice(1)}`);
  return {
    resourceId: listed.resource_id,
    name: listed.name,
    displayName: listed.display_name,
    state: listed.state,
    sku: listed.sku,
    gpuModel: listed.gpu_model,
    alertRulesCount: listed.alert_rules_count,
    createTime: listed.create_time,
  };
}

/**
 * Replaces the closing brace of a listed resource to make it an importable record. Then follow `renderStateSince`,
 * the labels as they are stored, and a brace.
 */
export function renderRecordKind(product: string, alertable: boolean): string {
  return `,"product":${jsonString(product)},"alertable":${alertable}`;
}

/** Always of the same length. */
export function renderStateSince(stateSinceMs: number): string {
  return `,"state_since":"${isoTime(stateSinceMs)}"`;
}

/** One check of all texts together avoids escaping each, which few need. */
const needsNoEscapes = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function inQuotes(text: string): string {
  return `"${text}"`;
}

function jsonString(text: string): string {
  return JSON.stringify(text);
}
