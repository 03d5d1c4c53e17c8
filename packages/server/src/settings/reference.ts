import type { TSchema } from 'typebox';
import { type NamedSetting, namedSettings, sections } from './setting-names.ts';

/** The JSON Schema of `roster.yaml`, for editors. */
export function configurationSchema(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of a Roster server',
    type: 'object',
    properties: {
      ...propertiesIn(''),
      ...Object.fromEntries(sections.map(({ key, description }) => [key, sectionSchema(key, description)])),
    },
    additionalProperties: false,
  };
}

/** A section whose keys are all commented out is null. */
function sectionSchema(key: string, description: string): object {
  return {
    type: ['object', 'null'],
    description,
    properties: propertiesIn(`${key}.`),
    additionalProperties: false,
  };
}

function propertiesIn(prefix: string): Record<string, object> {
  const inside = entriesIn(prefix).map((entry) => [entry.key.slice(prefix.length), propertyFor(entry)]);
  return Object.fromEntries(inside);
}

function entriesIn(prefix: string): NamedSetting[] {
  return namedSettings.filter(({ key }) => key.startsWith(prefix) && !key.slice(prefix.length).includes('.'));
}

function propertyFor({ schema, variable }: NamedSetting): object {
  const { setting, description, ...form } = schema as NamedSetting['schema'] & TSchema;
  const otherwise = setting.computed === undefined ? '' : ` Default: ${plain(setting.computed.text)}.`;
  return { ...form, description: `${plain(description)}${otherwise} Variable: ${variable}.` };
}

/** For editors that show no Markdown. */
function plain(markdown: string): string {
  return markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
}

/** All settings, as Markdown for the reference. */
export function renderSettings(): string {
  const top = entriesIn('').map(renderSetting);
  const inSections = sections.flatMap(({ key, description }) => [
    `## Section \`${key}\`\n\n${description}\n`,
    ...entriesIn(`${key}.`).map(renderSetting),
  ]);
  return ['## Top level\n', ...top, ...inSections].join('\n');
}

function renderSetting({ key, variable, flag, schema }: NamedSetting): string {
  const { allowed, flag: placeholder } = schema.setting;
  const names = [variable, ...(flag === undefined ? [] : [`--${flag} ${placeholder}`.trim()])];
  const sources = names.map((name) => `\`${name}\``).join(', ');
  return `### \`${key}\`\n\n${schema.description}\n\n${sources}: ${allowed}. ${renderDefault(schema)}\n`;
}

function renderDefault({ default: fallback, setting: { computed } }: NamedSetting['schema']): string {
  if (computed !== undefined) return `Default: ${computed.text}.`;
  if (fallback === undefined || (Array.isArray(fallback) && fallback.length === 0)) return 'No default.';
  return `Default: \`${fallback}\`.`;
}
