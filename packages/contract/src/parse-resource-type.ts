import { RosterError } from './errors.ts';
import { readMembers, refuseFaults } from './json-body.ts';
import { labelFromKey } from './label-from-key.ts';
import { limits } from './limits.ts';
import { quote } from './quote.ts';
import { productFault, textFault, typeKeyFault } from './record-fields.ts';
import { type ResourceType, resourceDefaults } from './resource.ts';

const memberNames = ['key', 'label', 'labels', 'product', 'alertable', 'version'] as const;

/** The type that a request puts at `key`, from its body as it came out of JSON. Reports every fault at once. */
export function parseResourceType(key: string, input: unknown): ResourceType {
  checkTypeKey(key);
  const faults: string[] = [];
  const { key: givenKey, label, labels, product, alertable } = readMembers(input, memberNames, faults);
  if (givenKey !== undefined && givenKey !== key) {
    faults.push(`key must be ${quote(key)} as in the path, or absent, got ${quote(givenKey)}`);
  }
  const type = {
    key,
    labels: readLabels(labels, faults),
    product: readProduct(product, faults),
    alertable: readAlertable(alertable, faults),
  };
  if (label !== undefined && ![...Object.values(type.labels), labelFromKey(key)].includes(label as string)) {
    faults.push(
      `label is one of the labels, or follows from the key; change labels instead, got ${quote(label)}`,
    );
  }
  refuseFaults(faults);
  return type;
}

function checkTypeKey(key: string): void {
  const fault = typeKeyFault(key);
  if (fault === undefined) return;
  throw new RosterError('invalid_parameter', `the type key ${fault}, got ${quote(key)}`, {
    parameter: 'type_key',
  });
}

function readLabels(value: unknown, faults: string[]): Record<string, string> {
  const labels: Record<string, string> = {};
  if (value === undefined || value === null) return labels;
  if (typeof value !== 'object' || Array.isArray(value)) {
    faults.push(`labels must be an object of locale and label, got ${quote(value)}`);
    return labels;
  }
  const entries = Object.entries(value);
  if (entries.length > limits.maxLocales) {
    faults.push(`labels may be given in at most ${limits.maxLocales} locales, got ${entries.length}`);
    return labels;
  }
  for (const [tag, label] of entries) {
    const locale = canonicalLocale(tag);
    const fault = locale === undefined ? 'is not a language tag such as en or zh-CN' : labelFault(label);
    if (fault !== undefined) faults.push(`labels: ${quote(tag)} ${fault}`);
    else if (Object.hasOwn(labels, locale!)) faults.push(`labels: ${quote(tag)} is given twice`);
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

function labelFault(label: unknown): string | undefined {
  if (typeof label !== 'string') return `must have a string as label, got ${quote(label)}`;
  if (label.trim() === '') return 'must have a label that is not blank';
  const fault = textFault(label, limits.maxNameLength);
  return fault === undefined ? undefined : `has a label that ${fault}`;
}

function readProduct(value: unknown, faults: string[]): string {
  if (value === undefined || value === null) return resourceDefaults.product;
  const fault = typeof value === 'string' ? productFault(value) : 'must be a string';
  if (fault === undefined) return value as string;
  faults.push(`product ${fault}, got ${quote(value)}`);
  return resourceDefaults.product;
}

function readAlertable(value: unknown, faults: string[]): boolean {
  if (value === undefined || value === null) return resourceDefaults.alertable;
  if (typeof value !== 'boolean') faults.push(`alertable must be true or false, got ${quote(value)}`);
  return value === true;
}
