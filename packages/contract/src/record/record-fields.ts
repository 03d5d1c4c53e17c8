import { limits } from '../limits.ts';
import { readLabels } from '../resource/labels.ts';
import { nearestState } from '../resource/nearest-state.ts';
import { normaliseCreateTime } from './create-time.ts';

/** Reads one field of a record: stores its value, or returns an error. */
export interface RecordField {
  read(value: unknown, record: Record<string, unknown>): string | undefined;
  /** What a wrong value may have been meant to be. */
  nearest?(value: unknown): string | undefined;
}

const controlOrLone = /[\p{Cc}\p{Cs}]/u;
const typeKey = /^resource_type(\.[A-Za-z0-9_-]+){2,}$/;
const product = /^product(\.[A-Za-z0-9_-]+)+$/;
const state = /^ALERTSTATE_[A-Z0-9_]+$/;
const keyCharacters = 'letters, digits, _ and - between dots';
const wholeNumber = /^[0-9]{1,16}$/;

export const recordFields: Readonly<Record<string, RecordField>> = {
  resource_type: { read: readResourceType },
  resource_id: text('resourceId', identifierError),
  name: text('name', (value) => requiredTextError(value, limits.maxNameLength)),
  display_name: text('displayName', (value) => requiredTextError(value, limits.maxNameLength)),
  create_time: { read: readCreateTime },
  sku: text('sku', (value) => textError(value, limits.maxTextLength)),
  gpu_model: text('gpuModel', (value) => textError(value, limits.maxTextLength)),
  state: {
    ...text('state', (value) => tokenError(value, state, 'ALERTSTATE_<NAME>: capital letters, digits and _')),
    nearest: (value) => (typeof value === 'string' ? nearestState(value) : undefined),
  },
  product: text('product', productError),
  alert_rules_count: { read: readAlertRulesCount },
  alertable: { read: readAlertable },
  state_since: { read: readStateSince },
  labels: { read: readRecordLabels },
};

/** Every field a record may have. `station` is checked but not stored. */
export const recordFieldNames: readonly string[] = [...Object.keys(recordFields), 'station'];

export const requiredFieldNames: readonly string[] = ['resource_type', 'resource_id', 'name'];

function text(target: string, errorOf: (value: string) => string | undefined): RecordField {
  return {
    read(value, record) {
      if (typeof value !== 'string') return notText(value);
      const error = errorOf(value);
      if (error === undefined) record[target] = value;
      return error;
    },
  };
}

function notText(value: unknown): string {
  return typeof value === 'object' ? 'must be a string' : 'must be a string: put it in quotes';
}

export function textError(value: string, maxLength: number): string | undefined {
  if (value.length > maxLength) return `may have at most ${maxLength} characters, has ${value.length}`;
  if (controlOrLone.test(value)) return 'must not contain control characters or broken Unicode';
  return undefined;
}

export function productError(value: string): string | undefined {
  return value === '' ? undefined : tokenError(value, product, `product.<name>: ${keyCharacters}`);
}

export function typeKeyError(value: string): string | undefined {
  return tokenError(value, typeKey, `resource_type.<category>.<name>: ${keyCharacters}`);
}

function requiredTextError(value: string, maxLength: number): string | undefined {
  return value === '' ? 'must not be empty' : textError(value, maxLength);
}

/** Lists of ids are comma-separated and trimmed, so an id can contain neither. */
function identifierError(value: string): string | undefined {
  if (value.includes(',')) return 'must not contain a comma';
  if (value !== value.trim()) return 'must not begin or end with a blank';
  if (value === '.' || value === '..') return 'must not be a relative path segment';
  return requiredTextError(value, limits.maxIdLength);
}

function tokenError(value: string, pattern: RegExp, shape: string): string | undefined {
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
      const error = textError(label, limits.maxNameLength);
      if (error !== undefined) return `has a label that ${error}`;
      if (label !== '') record.typeLabel = label;
    }
    return readTypeKey(key, record);
  }
  return readTypeKey(value, record);
}

function readTypeKey(key: unknown, record: Record<string, unknown>): string | undefined {
  if (typeof key !== 'string') return 'must be a type key, or an object with key and label';
  if (key === '') return 'must not be empty';
  const error = typeKeyError(key);
  if (error === undefined) record.typeKey = key;
  return error;
}

function readCreateTime(value: unknown, record: Record<string, unknown>): string | undefined {
  if (typeof value !== 'string') return 'must be an RFC 3339 time as a string';
  const result = normaliseCreateTime(value);
  if ('error' in result) return result.error;
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

function readStateSince(value: unknown, record: Record<string, unknown>): string | undefined {
  if (typeof value !== 'string') return 'must be an RFC 3339 time as a string';
  const result = normaliseCreateTime(value);
  if ('error' in result) return result.error;
  record.stateSinceMs = Date.parse(result.value);
  return undefined;
}

function readRecordLabels(value: unknown, record: Record<string, unknown>): string | undefined {
  const read = readLabels(value);
  if ('error' in read) return read.error;
  record.labels = read.labels;
  return undefined;
}
