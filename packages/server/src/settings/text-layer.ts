import { nearestName } from '@roster/contract';
import { entries } from './entries.ts';
import { type Form, findMisfit } from './find-misfit.ts';
import { findFault, type Layer, readSecrets } from './layer.ts';
import { blame, type Origin } from './origin.ts';

export const configVariable = 'ROSTER_CONFIG';
/** Of the command line, which has them in the same environment. */
const commandVariables = ['ROSTER_SERVER', 'ROSTER_TOKEN', 'ROSTER_STATION', 'ROSTER_CONTEXT'];
/** Kubernetes sets these for a service whose name begins with `roster`. */
const ofKubernetes = /_SERVICE_(HOST|PORT)(_[A-Z0-9_]+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/;
const known = [...entries.map(({ variable }) => variable), configVariable];

export function readEnvironment(environment: NodeJS.ProcessEnv, faults: string[]): Layer {
  const texts = entries.map(({ variable }) => environment[variable]);
  const layer = readTexts(texts, (at) => ({ kind: 'variable', name: entries[at]!.variable }), faults);
  for (const name of Object.keys(environment)) faults.push(...misspelt(name));
  return layer;
}

/** By the name of the flag; a switch has the text `true`. */
export function readFlags(flags: Readonly<Record<string, string>>, faults: string[]): Layer {
  const texts = entries.map(({ flag }) => (flag === undefined ? undefined : flags[flag]));
  return readTexts(texts, (at) => ({ kind: 'flag', name: `--${entries[at]!.flag}` }), faults);
}

function readTexts(
  texts: readonly (string | undefined)[],
  originOf: (at: number) => Origin,
  faults: string[],
): Layer {
  const layer: Layer = new Map();
  for (const [at, entry] of entries.entries()) {
    const text = texts[at];
    if (text === undefined || text === '') continue;
    const origin = originOf(at);
    const value = parse(entry.schema, text.trim());
    const fault = findFault(entry, value, text);
    if (fault !== undefined) faults.push(blame(origin, entry.key, fault.complaint));
    layer.set(entry.key, { value: fault === undefined ? value : undefined, origin });
  }
  readSecrets(layer, faults);
  return layer;
}

/** The text as what the schema asks for, or as it is where it cannot be that. */
function parse({ type, anyOf, patternProperties }: Form, text: string): unknown {
  if (anyOf !== undefined) {
    const values = anyOf.map((form) => parse(form, text));
    return values.find((value, at) => findMisfit(anyOf[at]!, value) === undefined) ?? values.at(-1);
  }
  if (type === 'integer') return /^[0-9]{1,12}$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return switchOf(text) ?? text;
  if (type === 'array') return itemsOf(text);
  if (patternProperties !== undefined) return Object.fromEntries(itemsOf(text).map(pairOf));
  return text;
}

function switchOf(text: string): boolean | undefined {
  if (['true', '1', 'yes', 'on'].includes(text.toLowerCase())) return true;
  return ['false', '0', 'no', 'off'].includes(text.toLowerCase()) ? false : undefined;
}

function itemsOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** A value may have an equals sign in its name, as `group=ops=admin` for the group `group=ops`. */
function pairOf(item: string): [string, string] {
  const at = item.lastIndexOf('=');
  return at === -1 ? [item, ''] : [item.slice(0, at).trim(), item.slice(at + 1).trim()];
}

/** Names that are not close to a setting are let be. */
function misspelt(name: string): string[] {
  if (!name.startsWith('ROSTER_') || known.includes(name) || commandVariables.includes(name)) return [];
  if (ofKubernetes.test(name)) return [];
  const withoutPrefix = (variable: string) => variable.slice('ROSTER_'.length);
  const nearest = nearestName(withoutPrefix(name), known.map(withoutPrefix));
  return nearest ? [`${name} is not a setting; did you mean ROSTER_${nearest}?`] : [];
}
