import type { TSchema } from 'typebox';
import { allSettings } from './all-settings.ts';
import type { SettingSchema } from './setting.ts';

/** One setting. */
export interface NamedSetting {
  /** Such as `database.url`. */
  readonly key: string;
  readonly variable: string;
  readonly flag: string | undefined;
  readonly schema: SettingSchema;
  /** For `database.urlFile`: `database.url`, the secret that the file holds. */
  readonly secretKey: string | undefined;
}

export interface Section {
  readonly key: string;
  readonly description: string;
}

interface ObjectSchema extends TSchema {
  readonly properties: Readonly<Record<string, TSchema>>;
  readonly description?: string;
}

/** All settings in the order of the table, including those that name the file of a secret. */
export const namedSettings: readonly NamedSetting[] = collect('', allSettings);
export const settingByKey: ReadonlyMap<string, NamedSetting> = new Map(
  namedSettings.map((entry) => [entry.key, entry]),
);
export const sections: readonly Section[] = Object.entries(allSettings.properties as Record<string, TSchema>)
  .filter(([, schema]) => isSection(schema))
  .map(([key, schema]) => ({ key, description: (schema as ObjectSchema).description ?? '' }));

function collect(prefix: string, { properties }: ObjectSchema): NamedSetting[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const key = `${prefix}${name}`;
    if (isSection(schema)) return collect(`${key}.`, schema);
    const entry = entryFor(key, schema as SettingSchema);
    return entry.schema.setting.isSecret === true ? [entry, fileEntry(entry)] : [entry];
  });
}

/** A `Type.Record` is a setting, not a section. */
function isSection(schema: TSchema): schema is ObjectSchema {
  return 'properties' in schema;
}

function entryFor(key: string, schema: SettingSchema): NamedSetting {
  const flag = schema.setting.flag === undefined ? undefined : words(key).join('-');
  return {
    key,
    variable: `ROSTER_${words(key).join('_').toUpperCase()}`,
    flag,
    schema,
    secretKey: undefined,
  };
}

function fileEntry({ key }: NamedSetting): NamedSetting {
  const schema: SettingSchema = {
    type: 'string',
    pattern: '^[^\\0]+$',
    description: `A file that holds \`${key}\`. White space around it is trimmed.`,
    setting: { allowed: 'the path of a file', isPath: true },
  };
  return { ...entryFor(`${key}File`, schema), secretKey: key };
}

/** `database.urlFile` has the words database, url and file. */
function words(key: string): string[] {
  return key.split(/\.|(?=[A-Z])/).map((word) => word.toLowerCase());
}

/** A flag of `roster serve`. */
export interface ServeFlag {
  readonly name: string;
  /** The placeholder in the help; undefined for a switch. */
  readonly value: string | undefined;
  readonly choices: readonly string[] | undefined;
  readonly about: string;
}

export const serveFlags: readonly ServeFlag[] = [
  {
    name: 'config',
    value: 'FILE',
    choices: undefined,
    about: 'the configuration file (default: ./roster.yaml, if it exists)',
  },
  ...namedSettings.flatMap(({ flag, schema }) => (flag === undefined ? [] : [flagFor(flag, schema)])),
];

function flagFor(name: string, schema: SettingSchema): ServeFlag {
  const { enum: choices } = schema as { enum?: readonly string[] };
  return { name, value: schema.setting.flag || undefined, choices, about: aboutFor(schema) };
}

/** The first sentence of the description, in the style of the help. */
function aboutFor({ description, default: fallback, setting: { computed } }: SettingSchema): string {
  const [sentence = ''] = description.replaceAll('`', '').split(/\.(?: |$)/);
  const about = sentence[0]!.toLowerCase() + sentence.slice(1);
  const otherwise = computed?.text.replaceAll('`', '') ?? fallback;
  return otherwise === undefined || otherwise === false ? about : `${about} (default: ${otherwise})`;
}
