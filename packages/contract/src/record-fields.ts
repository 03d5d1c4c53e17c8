import { normaliseCreateTime } from './create-time.ts';
import { limits } from './limits.ts';

/** How one field of a record is read: it sets what is stored, or returns what is wrong. */
export interface RecordField {
  read(value: unknown, record: Record<string, unknown>): string | undefined;
}

const controlOrLone = /[\p{Cc}\p{Cs}]/u;
const typeKey = /^resource_type(\.[A-Za-z0-9_-]+)+$/;
const product = /^product(\.[A-Za-z0-9_-]+)+$/;
const state = /^ALERTSTATE_[A-Z0-9_]+$/;
const keyCharacters = 'letters, digits, _ and - between dots';
const wholeNumber = /^[0-9]{1,16}$/;

export const recordFields: Readonly<Record<string, RecordField>> = {
  resource_type: { read: readResourceType },
  resource_id: text('resourceId', identifierFault),
  name: text('name', (value) => requiredTextFault(value, limits.maxNameLength)),
  display_name: text('displayName', (value) => requiredTextFault(value, limits.maxNameLength)),
  create_time: { read: readCreateTime },
  sku: text('sku', (value) => textFault(value, limits.maxTextLength)),
  gpu_model: text('gpuModel', (value) => textFault(value, limits.maxTextLength)),
  state: text('state', (value) =>
    tokenFault(value, state, 'ALERTSTATE_<NAME>: capital letters, digits and _'),
  ),
  product: text('product', productFault),
  alert_rules_count: { read: readAlertRulesCount },
  alertable: { read: readAlertable },
};

/** All that a record may have. `station` says where it belongs and is not stored. */
export const recordFieldNames: readonly string[] = [...Object.keys(recordFields), 'station'];

export const requiredFieldNames: readonly string[] = ['resource_type', 'resource_id', 'name'];

function text(target: string, faultOf: (value: string) => string | undefined): RecordField {
  return {
    read(value, record) {
      if (typeof value !== 'string') return notText(value);
      const fault = faultOf(value);
      if (fault === undefined) record[target] = value;
      return fault;
    },
  };
}

function notText(value: unknown): string {
  return typeof value === 'object' ? 'must be a string' : 'must be a string: put it in quotes';
}

export function textFault(value: string, maxLength: number): string | undefined {
  if (value.length > maxLength) return `may have at most ${maxLength} characters, has ${value.length}`;
  if (controlOrLone.test(value)) return 'must not contain control characters or broken Unicode';
  return undefined;
}

export function productFault(value: string): string | undefined {
  return value === '' ? undefined : tokenFault(value, product, `product.<name>: ${keyCharacters}`);
}

export function typeKeyFault(value: string): string | undefined {
  return tokenFault(value, typeKey, `resource_type.<category>.<name>: ${keyCharacters}`);
}

function requiredTextFault(value: string, maxLength: number): string | undefined {
  return value === '' ? 'must not be empty' : textFault(value, maxLength);
}

/** Ids travel in comma-separated, blank-trimmed lists, so they may hold neither. */
function identifierFault(value: string): string | undefined {
  if (value.includes(',')) return 'must not contain a comma';
  if (value !== value.trim()) return 'must not begin or end with a blank';
  if (value === '.' || value === '..') return 'must not be a relative path segment';
  return requiredTextFault(value, limits.maxIdLength);
}

function tokenFault(value: string, pattern: RegExp, shape: string): string | undefined {
  if (value.length > limits.maxTokenLength) return `may have at most ${limits.maxTokenLength} characters`;
  return pattern.test(value) ? undefined : `must have the form ${shape}`;
}

function readResourceType(value: unknown, record: Record<string, unknown>): string | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const { key, label, ...rest } = value as Record<string, unknown>;
    const unknown = Object.keys(rest)[0];
    if (unknown !== undefined) return `may have key and label only, not ${JSON.stringify(unknown)}`;
    if (label !== undefined && label !== null) {
      if (typeof label !== 'string') return 'must have a string as label';
      const fault = textFault(label, limits.maxNameLength);
      if (fault !== undefined) return `has a label that ${fault}`;
      if (label !== '') record.typeLabel = label;
    }
    return readTypeKey(key, record);
  }
  return readTypeKey(value, record);
}

function readTypeKey(key: unknown, record: Record<string, unknown>): string | undefined {
  if (typeof key !== 'string') return 'must be a type key, or an object with key and label';
  if (key === '') return 'must not be empty';
  const fault = typeKeyFault(key);
  if (fault === undefined) record.typeKey = key;
  return fault;
}

function readCreateTime(value: unknown, record: Record<string, unknown>): string | undefined {
  if (typeof value !== 'string') return 'must be an RFC 3339 time as a string';
  const result = normaliseCreateTime(value);
  if ('fault' in result) return result.fault;
  record.createTime = result.value;
  return undefined;
}

function readAlertRulesCount(value: unknown, record: Record<string, unknown>): string | undefined {
  const count = typeof value === 'string' && wholeNumber.test(value) ? Number(value) : value;
  if (!Number.isSafeInteger(count) || (count as number) < 0) {
    return `must be a whole number between 0 and ${Number.MAX_SAFE_INTEGER}`;
  }
  record.alertRulesCount = count;
  return undefined;
}

function readAlertable(value: unknown, record: Record<string, unknown>): string | undefined {
  if (typeof value !== 'boolean') return 'must be true or false';
  record.alertable = value;
  return undefined;
}
