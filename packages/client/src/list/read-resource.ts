import { quote } from '../check-argument.ts';
import type { Malformed } from '../http/request.ts';
import type { Resource } from '../wire.ts';

const textFields = ['create_time', 'sku', 'state', 'display_name', 'name', 'gpu_model'] as const;

/** Fits a resource to its type in place: absent fields become empty or 0, and counts become numbers. */
export function readResource(value: unknown, malformed: Malformed): Resource {
  try {
    return normalise(value);
  } catch (error) {
    const id = (value as Partial<Resource> | null)?.resource_id;
    throw malformed(`a resource (${quote(id)}) that ${(error as Error).message}`);
  }
}

function normalise(value: unknown): Resource {
  if (typeof value !== 'object' || value === null) throw new Error(`is ${quote(value)}, not an object`);
  const resource = value as Record<string, unknown>;
  if (typeof resource.resource_id !== 'string') throw new Error('has no string as resource_id');
  if (typeof resource.alert_rules_count !== 'number') {
    resource.alert_rules_count = readRulesCount(resource.alert_rules_count);
  }
  for (const field of textFields) {
    if (typeof resource[field] !== 'string') resource[field] = readText(field, resource[field]);
  }
  const type = resource.resource_type;
  if (typeof type !== 'object' || type === null) resource.resource_type = readType(type);
  return resource as unknown as Resource;
}

/** A whole number, or one in a string, as some servers send 64-bit numbers. */
export function readCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^[0-9]{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(count) && (count as number) >= 0 ? (count as number) : undefined;
}

function readRulesCount(value: unknown): number {
  const count = value === undefined || value === null || value === '' ? 0 : readCount(value);
  if (count === undefined) throw new Error(`has ${quote(value)} as alert_rules_count, not a number`);
  return count;
}

function readText(field: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  throw new Error(`has ${quote(value)} as ${field}, not a string`);
}

function readType(value: unknown): { key: string; label: string } {
  if (typeof value === 'string') return { key: value, label: value };
  if (value === undefined || value === null) return { key: '', label: '' };
  throw new Error(`has ${quote(value)} as resource_type, not an object`);
}
