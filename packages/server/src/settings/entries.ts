import type { TSchema } from 'typebox';
import type { SettingSchema } from './setting.ts';
import { settingTable } from './table.ts';

/** One key that may be set. */
export interface Entry {
  /** As in `database.url`. */
  readonly key: string;
  readonly variable: string;
  readonly flag: string | undefined;
  readonly schema: SettingSchema;
  /** The key of the secret that is read from the file that this one names. */
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

/** Every key in the order of the table, those that name the file of a secret included. */
export const entries: readonly Entry[] = collect('', settingTable);
export const entryOf: ReadonlyMap<string, Entry> = new Map(entries.map((entry) => [entry.key, entry]));
export const sections: readonly Section[] = Object.entries(settingTable.properties as Record<string, TSchema>)
  .filter(([, schema]) => isSection(schema))
  .map(([key, schema]) => ({ key, description: (schema as ObjectSchema).description ?? '' }));

function collect(prefix: string, { properties }: ObjectSchema): Entry[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const key = `${prefix}${name}`;
    if (isSection(schema)) return collect(`${key}.`, schema);
    const entry = entryFor(key, schema as SettingSchema);
    return entry.schema.setting.isSecret === true ? [entry, fileEntry(entry)] : [entry];
  });
}

/** A map of free keys is a setting, and no section. */
function isSection(schema: TSchema): schema is ObjectSchema {
  return 'properties' in schema;
}

function entryFor(key: string, schema: SettingSchema): Entry {
  const flag = schema.setting.flag === undefined ? undefined : words(key).join('-');
  return {
    key,
    variable: `ROSTER_${words(key).join('_').toUpperCase()}`,
    flag,
    schema,
    secretKey: undefined,
  };
}

function fileEntry({ key }: Entry): Entry {
  const schema: SettingSchema = {
    type: 'string',
    pattern: '^[^\\0]+$',
    description: `The file that has \`${key}\`, so that it need not stand here. White space around it is dropped.`,
    setting: { allowed: 'the path of a file', isPath: true },
  };
  return { ...entryFor(`${key}File`, schema), secretKey: key };
}

/** `database.urlFile` has the words database, url and file. */
function words(key: string): string[] {
  return key.split(/\.|(?=[A-Z])/).map((word) => word.toLowerCase());
}
