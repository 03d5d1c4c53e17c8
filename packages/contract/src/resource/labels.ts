import { limits } from '../limits.ts';
import { quote } from '../quote.ts';

const namePattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const prefixPattern = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;
/** Lists of values are separated by commas, labels in one cell by semicolons. */
const refusedInValue = /[\p{Cc}\p{Cs},;]/u;

/** No labels, in stored form. */
export const noLabels = '{}';

/** The labels of a resource: text by key. */
export type LabelMap = Readonly<Record<string, string>>;

/** What is wrong with a label key, or undefined. The rules are those of Kubernetes. */
export function labelKeyError(key: string): string | undefined {
  const slash = key.indexOf('/');
  const prefix = slash === -1 ? undefined : key.slice(0, slash);
  const name = key.slice(slash + 1);
  if (name.length > limits.maxLabelLength || !namePattern.test(name)) {
    return `must be at most ${limits.maxLabelLength} letters, digits, "-", "_" or ".", and begin and end with a letter or digit`;
  }
  if (prefix !== undefined && (prefix.length > limits.maxLabelPrefixLength || !prefixPattern.test(prefix))) {
    return 'must have a DNS name before the slash, such as example.com/rack';
  }
  return undefined;
}

function labelValueError(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string: put it in quotes';
  if (value.length > limits.maxLabelLength) return `may have at most ${limits.maxLabelLength} characters`;
  if (refusedInValue.test(value))
    return 'must not contain commas, semicolons, control characters or broken Unicode';
  return value === value.trim() ? undefined : 'must not begin or end with a blank';
}

export type ReadLabels = { readonly labels: string } | { readonly error: string };

/** Checks labels, an object or the text of a cell, and converts them to their stored form: JSON with sorted keys. */
export function readLabels(given: unknown): ReadLabels {
  if (typeof given === 'string') {
    const parsed = parseLabelCell(given);
    return typeof parsed === 'string' ? { error: parsed } : readLabels(parsed);
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return {
      error: 'must be an object of texts, such as {"rack": "r12"}, or a text such as rack=r12;owner=search',
    };
  }
  const keys = Object.keys(given).sort();
  if (keys.length > limits.maxLabels) {
    return { error: `may have at most ${limits.maxLabels} labels, has ${keys.length}` };
  }
  const members: string[] = [];
  for (const key of keys) {
    const value = (given as Record<string, unknown>)[key];
    const keyError = labelKeyError(key);
    if (keyError !== undefined) return { error: `has the key ${quote(key)}, which ${keyError}` };
    const valueError = labelValueError(value);
    if (valueError !== undefined) return { error: `has a value for ${key} that ${valueError}` };
    members.push(`${JSON.stringify(key)}:${JSON.stringify(value)}`);
  }
  return { labels: `{${members.join(',')}}` };
}

/** The labels of their stored form. */
export function parseLabels(stored: string): LabelMap {
  return stored === noLabels ? {} : JSON.parse(stored);
}

/** Labels in one cell of a table: `owner=search;rack=r12`. */
export function formatLabels(labels: LabelMap): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(';');
}

/** Reads what `formatLabels` wrote. Returns what is wrong as text. */
function parseLabelCell(cell: string): Record<string, string> | string {
  const labels: Record<string, string> = {};
  for (const part of cell.split(';')) {
    const pair = part.trim();
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    if (equals === -1)
      return 'must be key=value pairs separated by semicolons, such as owner=search;rack=r12';
    const key = pair.slice(0, equals).trim();
    if (Object.hasOwn(labels, key)) return `has ${quote(key)} twice`;
    Object.defineProperty(labels, key, { value: pair.slice(equals + 1).trim(), enumerable: true });
  }
  return labels;
}
