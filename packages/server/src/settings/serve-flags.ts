import { entries } from './entries.ts';
import type { SettingSchema } from './setting.ts';

/** A flag of `roster serve`. */
export interface ServeFlag {
  readonly name: string;
  /** What stands for the value in the help; undefined for a switch. */
  readonly value: string | undefined;
  readonly choices: readonly string[] | undefined;
  readonly about: string;
}

/** The file, and the settings that have a flag. */
export const serveFlags: readonly ServeFlag[] = [
  {
    name: 'config',
    value: 'FILE',
    choices: undefined,
    about: 'the configuration file; ./roster.yaml unless given, if there is one',
  },
  ...entries.flatMap(({ flag, schema }) => (flag === undefined ? [] : [flagFor(flag, schema)])),
];

function flagFor(name: string, schema: SettingSchema): ServeFlag {
  const { enum: choices } = schema as { enum?: readonly string[] };
  return { name, value: schema.setting.flag || undefined, choices, about: aboutFor(schema) };
}

/** The first sentence, as the help has it. */
function aboutFor({ description, default: fallback, setting: { computed } }: SettingSchema): string {
  const [sentence = ''] = description.replaceAll('`', '').split(/\.(?: |$)/);
  const about = sentence[0]!.toLowerCase() + sentence.slice(1);
  const otherwise = computed?.text.replaceAll('`', '') ?? fallback;
  return otherwise === undefined || otherwise === false ? about : `${about}; ${otherwise} unless given`;
}
