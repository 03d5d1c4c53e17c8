import { jsonText } from './json.ts';

// Strings that need no quotes in YAML 1.1 and 1.2.
const plainText = /^[A-Za-z_][A-Za-z0-9_./-]*$/;
const otherMeaning = /^(?:true|false|yes|no|on|off|null|y|n)$/i;

/**
 * A value as a YAML document. The `yaml` library is no replacement here: it leaves characters that a terminal obeys
 * as they are, writes strings that YAML 1.1 and 1.2 read differently, and takes six times as long per row.
 */
export function yamlDocument(value: unknown): string {
  return `${yamlLines(value).join('\n')}\n`;
}

/** A value as an item of a YAML list. */
export function yamlItem(value: unknown): string {
  return `${itemLines(value).join('\n')}\n`;
}

function yamlLines(value: unknown): string[] {
  if (Array.isArray(value)) return value.length === 0 ? ['[]'] : value.flatMap(itemLines);
  if (typeof value !== 'object' || value === null) return [yamlScalar(value)];
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return entries.length === 0 ? ['{}'] : entries.flatMap(([key, each]) => entryLines(yamlScalar(key), each));
}

function entryLines(key: string, value: unknown): string[] {
  const lines = yamlLines(value);
  const isBlock = typeof value === 'object' && value !== null && !/^(?:\[\]|\{\})$/.test(lines[0]!);
  return isBlock ? [`${key}:`, ...lines.map((line) => `  ${line}`)] : [`${key}: ${lines[0]}`];
}

function itemLines(value: unknown): string[] {
  return yamlLines(value).map((line, at) => `${at === 0 ? '- ' : '  '}${line}`);
}

/** JSON is valid YAML, so everything else is written as JSON. */
function yamlScalar(value: unknown): string {
  if (typeof value === 'string' && plainText.test(value) && !otherMeaning.test(value)) return value;
  return jsonText(value);
}
