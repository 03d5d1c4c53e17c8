import { nearestName } from '@roster/contract';
import { itemsOf } from '../http/trusted-proxies.ts';
import { checkValue, type GivenSettings, invalidSetting, nameOfPart, readSecrets } from './given-settings.ts';
import { type NamedSetting, namedSettings } from './setting-names.ts';
import { type ValueSchema, validate } from './validate.ts';

export const configVariable = 'ROSTER_CONFIG';
/** Settings of the command line tool. */
const commandVariables = ['ROSTER_SERVER', 'ROSTER_TOKEN', 'ROSTER_STATION', 'ROSTER_CONTEXT'];
/** Kubernetes sets these for a service whose name begins with `roster`. */
const ofKubernetes = /_SERVICE_(HOST|PORT)(_[A-Z0-9_]+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/;
const known = [...namedSettings.map(({ variable }) => variable), configVariable];

export function readEnvironment(environment: NodeJS.ProcessEnv, errors: string[]): GivenSettings {
  const layer = readTexts('variable', ({ variable }) => [variable, environment[variable]], errors);
  for (const name of Object.keys(environment)) errors.push(...misspelt(name));
  return layer;
}

/** `flags` are by name; the text of a switch is `true`. */
export function readFlags(flags: Readonly<Record<string, string>>, errors: string[]): GivenSettings {
  return readTexts('flag', ({ flag = '' }) => [`--${flag}`, flags[flag]], errors);
}

/** `find` returns the name and the text of a setting. */
function readTexts(
  kind: 'variable' | 'flag',
  find: (entry: NamedSetting) => [string, string | undefined],
  errors: string[],
): GivenSettings {
  const layer: GivenSettings = new Map();
  for (const entry of namedSettings) {
    const [name, text] = find(entry);
    if (text === undefined || text === '') continue;
    const origin = { kind, name };
    const value = parse(entry.schema, text.trim());
    const invalid = checkValue(entry, value, text);
    for (const { path, reason } of invalid) {
      const part = { kind, name: entry.schema.setting.checkParts ? nameOfPart(name, path) : name };
      errors.push(invalidSetting(part, entry.key, reason));
    }
    layer.set(entry.key, { value: invalid.length === 0 ? value : undefined, origin });
  }
  readSecrets(layer, errors);
  return layer;
}

/** Converts the text to the type of the schema, if possible. */
function parse({ type, anyOf, items, patternProperties }: ValueSchema, text: string): unknown {
  if (anyOf !== undefined) {
    const values = anyOf.map((schema) => parse(schema, text));
    return values.find((value, at) => validate(anyOf[at]!, value) === undefined) ?? values.at(-1);
  }
  if (type === 'integer') return /^[0-9]{1,12}$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return booleanOf(text) ?? text;
  if (items?.type === 'object') return jsonOf(text);
  if (type === 'array') return itemsOf(text);
  if (patternProperties !== undefined) return Object.fromEntries(itemsOf(text).map(pairOf));
  return text;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function booleanOf(text: string): boolean | undefined {
  if (['true', '1', 'yes', 'on'].includes(text.toLowerCase())) return true;
  return ['false', '0', 'no', 'off'].includes(text.toLowerCase()) ? false : undefined;
}

/** The name may have an equals sign: `group=ops=admin` is for the group `group=ops`. */
function pairOf(item: string): [string, string] {
  const at = item.lastIndexOf('=');
  return at === -1 ? [item, ''] : [item.slice(0, at).trim(), item.slice(at + 1).trim()];
}

/** Ignores names that resemble no setting. */
function misspelt(name: string): string[] {
  if (!name.startsWith('ROSTER_') || known.includes(name) || commandVariables.includes(name)) return [];
  if (ofKubernetes.test(name)) return [];
  const withoutPrefix = (variable: string) => variable.slice('ROSTER_'.length);
  const nearest = nearestName(withoutPrefix(name), known.map(withoutPrefix));
  return nearest ? [`${name} is not a setting; did you mean ROSTER_${nearest}?`] : [];
}
