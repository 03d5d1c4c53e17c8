import { existsSync } from 'node:fs';
import path from 'node:path';
import { quote } from '@roster/contract';
import type { Settings } from './all-settings.ts';
import { combinationRules, type MergedSettings } from './check-combinations.ts';
import { describeOrigin, type GivenSettings, type Origin } from './given-settings.ts';
import { InvalidSettings } from './invalid-settings.ts';
import { readConfigFile } from './read-config-file.ts';
import { configVariable, readEnvironment, readFlags } from './read-variables-and-flags.ts';
import { namedSettings, sections, settingByKey } from './setting-names.ts';

const fileName = 'roster.yaml';

/** Flags override the environment, which overrides the file. */
export interface SettingSources {
  readonly environment: NodeJS.ProcessEnv;
  /** By name, without dashes; `config` is the file. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Where to look for `roster.yaml` when no file is named. */
  readonly directory?: string;
  /** What the file is to contain, instead of what it contains. */
  readonly fileText?: string;
}

/** Settings, and where each came from. */
export interface TracedSettings {
  readonly settings: Settings;
  /** The configuration file, if any. */
  readonly file: string | undefined;
  readonly traces: readonly SettingTrace[];
}

export interface SettingTrace {
  readonly key: string;
  /** As in a configuration file; secrets are hidden, and unset is empty. */
  readonly value: string;
  readonly from: string;
}

/** Throws `InvalidSettings`. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  return traceSettings({ environment }).settings;
}

/** Throws `InvalidSettings`. */
export function traceSettings(sources: SettingSources): TracedSettings {
  const errors: string[] = [];
  const file = findConfigFile(sources);
  const layers = [
    readFlags(sources.flags ?? {}, errors),
    readEnvironment(sources.environment, errors),
    ...(file === undefined ? [] : [readFile(file, errors, sources.fileText)]),
  ];
  const merged = merge(layers);
  for (const rule of combinationRules) errors.push(...[rule(merged) ?? []].flat());
  if (errors.length > 0) throw new InvalidSettings(errors);
  return { settings: nest(merged.values), file, traces: trace(merged) };
}

function findConfigFile({ environment, flags, directory }: SettingSources): string | undefined {
  const named = flags?.config || environment[configVariable]?.trim();
  if (named) return named;
  if (directory === undefined) return undefined;
  const usual = path.join(directory, fileName);
  return existsSync(usual) ? usual : undefined;
}

/** An unreadable file does not hide errors elsewhere. */
function readFile(file: string, errors: string[], text: string | undefined): GivenSettings {
  try {
    return readConfigFile(file, errors, text);
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    errors.push(...error.errors);
    return new Map();
  }
}

function merge(layers: readonly GivenSettings[]): MergedSettings {
  const values = new Map<string, unknown>();
  const origins = new Map<string, Origin>();
  for (const { key, schema, secretKey } of namedSettings) {
    if (secretKey !== undefined) continue;
    const given = layers.find((layer) => layer.has(key))?.get(key);
    const fallback = schema.setting.computed?.of(values) ?? schema.default;
    values.set(key, given?.value ?? fallback);
    origins.set(key, given?.origin ?? { kind: 'default' });
  }
  return { values, origins };
}

/** Puts `database.url` into a section. */
function nest(values: ReadonlyMap<string, unknown>): Settings {
  const settings: Record<string, unknown> = {};
  for (const { key } of sections) settings[key] = {};
  for (const [key, value] of values) {
    const [name, section] = key.split('.').reverse() as [string, string?];
    const target = section === undefined ? settings : (settings[section] as Record<string, unknown>);
    if (value !== undefined) target[name] = value;
  }
  return settings as unknown as Settings;
}

function trace({ values, origins }: MergedSettings): SettingTrace[] {
  return [...values].map(([key, value]) => ({
    key,
    value: show(key, value),
    from: describeOrigin(origins.get(key)!),
  }));
}

function show(key: string, value: unknown): string {
  if (value === undefined) return '';
  if (settingByKey.get(key)!.schema.setting.isSecret === true) return '(hidden)';
  return typeof value === 'string' ? value : quote(value);
}
