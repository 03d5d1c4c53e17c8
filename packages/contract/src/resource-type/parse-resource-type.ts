import { RosterError } from '../errors.ts';
import { limits } from '../limits.ts';
import { quote } from '../quote.ts';
import { productError, textError, typeKeyError } from '../record/record-fields.ts';
import { type ResourceType, resourceDefaults } from '../resource/resource.ts';
import { readMembers, throwInvalidBody } from '../write/json-body.ts';
import { labelFromKey } from './label-from-key.ts';

const memberNames = ['key', 'label', 'labels', 'product', 'alertable', 'version'] as const;

/** Reads the type for `key` from a parsed JSON body. Reports every error at once. */
export function parseResourceType(key: string, input: unknown): ResourceType {
  checkTypeKey(key);
  const errors: string[] = [];
  const { key: givenKey, label, labels, product, alertable } = readMembers(input, memberNames, errors);
  if (givenKey !== undefined && givenKey !== key) {
    errors.push(`key must be ${quote(key)} as in the path, or absent, got ${quote(givenKey)}`);
  }
  const type = {
    key,
    labels: readLabels(labels, errors),
    product: readProduct(product, errors),
    alertable: readAlertable(alertable, errors),
  };
  if (label !== undefined && ![...Object.values(type.labels), labelFromKey(key)].includes(label as string)) {
    errors.push(`label cannot be set, got ${quote(label)}; set labels`);
  }
  throwInvalidBody(errors);
  return type;
}

function checkTypeKey(key: string): void {
  const error = typeKeyError(key);
  if (error === undefined) return;
  throw new RosterError('invalid_parameter', `the type key ${error}, got ${quote(key)}`, {
    parameter: 'type_key',
  });
}

function readLabels(value: unknown, errors: string[]): Record<string, string> {
  const labels: Record<string, string> = {};
  if (value === undefined || value === null) return labels;
  if (typeof value !== 'object' || Array.isArray(value)) {
    errors.push(`labels must be an object of locale and label, got ${quote(value)}`);
    return labels;
  }
  const entries = Object.entries(value);
  if (entries.length > limits.maxLocales) {
    errors.push(`labels may be given in at most ${limits.maxLocales} locales, got ${entries.length}`);
    return labels;
  }
  for (const [tag, label] of entries) {
    const locale = canonicalLocale(tag);
    const error = locale === undefined ? 'is not a language tag such as en or zh-CN' : labelError(label);
    if (error !== undefined) errors.push(`labels: ${quote(tag)} ${error}`);
    else if (Object.hasOwn(labels, locale!)) errors.push(`labels: ${quote(tag)} is given twice`);
    else labels[locale!] = label as string;
  }
  return labels;
}

function canonicalLocale(tag: string): string | undefined {
  try {
    return tag.length <= 35 ? Intl.getCanonicalLocales(tag)[0] : undefined;
  } catch {
    return undefined;
  }
}

function labelError(label: unknown): string | undefined {
  if (typeof label !== 'string') return `must have a string as label, got ${quote(label)}`;
  if (label.trim() === '') return 'must have a label that is not blank';
  const error = textError(label, limits.maxNameLength);
  return error === undefined ? undefined : `has a label that ${error}`;
}

function readProduct(value: unknown, errors: string[]): string {
  if (value === undefined || value === null) return resourceDefaults.product;
  const error = typeof value === 'string' ? productError(value) : 'must be a string';
  if (error === undefined) return value as string;
  errors.push(`product ${error}, got ${quote(value)}`);
  return resourceDefaults.product;
}

function readAlertable(value: unknown, errors: string[]): boolean {
  if (value === undefined || value === null) return resourceDefaults.alertable;
  if (typeof value !== 'boolean') errors.push(`alertable must be true or false, got ${quote(value)}`);
  return value === true;
}
