import { readFileSync } from 'node:fs';
import { quote } from '@roster/contract';
import { type NamedSetting, namedSettings, settingByKey } from './setting-names.ts';
import { type InvalidPart, validate } from './validate.ts';

/** Where a setting was set. */
export type Origin =
  | { readonly kind: 'default' }
  | { readonly kind: 'variable' | 'flag'; readonly name: string }
  | {
      readonly kind: 'file';
      readonly file: string;
      readonly key: string;
      readonly line: number;
      readonly column: number;
    };

export function describeOrigin(origin: Origin): string {
  if (origin.kind === 'default') return 'default';
  if (origin.kind !== 'file') return origin.name;
  return `${origin.file}:${origin.line}:${origin.column}`;
}

/** An error message that begins with where the setting was set. */
export function invalidSetting(origin: Origin, key: string, reason: string): string {
  const subject =
    origin.kind === 'file' ? `${describeOrigin(origin)}: ${origin.key}` : describeOrigin(origin);
  return `${origin.kind === 'default' ? key : subject} ${reason}`;
}

interface Given {
  /** Undefined if it was invalid. */
  readonly value: unknown;
  readonly origin: Origin;
}

/** The settings of one source, by key: the file, the environment or the flags. */
export type GivenSettings = Map<string, Given>;

/** What is wrong with a value: nothing if it is valid. */
export function checkValue(
  { schema }: NamedSetting,
  value: unknown,
  shown: unknown = value,
): readonly InvalidPart[] {
  const { allowed, check, checkParts, isSecret } = schema.setting;
  const path = validate(schema, value);
  if (path === undefined) {
    const reason = check?.(value);
    return reason === undefined ? (checkParts?.(value) ?? []) : [{ reason, path: [] }];
  }
  const part = path.reduce((inner, step) => (inner as Record<string, unknown>)[step], value);
  const got = isSecret ? '' : `, got ${quote(path.length === 0 ? shown : part)}`;
  return [{ reason: `must be ${allowed}${got}`, path }];
}

/** `sources[0].tie` for `sources` and the path `0`, `tie`. */
export function nameOfPart(name: string, path: readonly string[]): string {
  return path.reduce((outer, step) => outer + (/^\d+$/.test(step) ? `[${step}]` : `.${step}`), name);
}

/** Reads the secrets whose files a layer names. */
export function readSecrets(layer: GivenSettings, errors: string[]): void {
  for (const { key, secretKey } of namedSettings) {
    const named = layer.get(key);
    if (secretKey === undefined || named?.value === undefined) continue;
    const { origin } = named;
    const direct = layer.get(secretKey);
    if (direct !== undefined) {
      errors.push(
        `${describeOrigin(direct.origin)} and ${describeOrigin(origin)} both set ${secretKey}; keep one`,
      );
      continue;
    }
    const { value, reason } = readSecret(String(named.value), settingByKey.get(secretKey)!);
    if (reason !== undefined) errors.push(invalidSetting(origin, key, reason));
    layer.set(secretKey, { value, origin });
  }
}

function readSecret(file: string, entry: NamedSetting): { value?: string; reason?: string } {
  try {
    const value = readFileSync(file, 'utf8').trim();
    if (value === '') return { reason: `names ${quote(file)}, which is empty` };
    const [invalid] = checkValue(entry, value);
    return invalid === undefined ? { value } : { reason: `names a file whose text ${invalid.reason}` };
  } catch (error) {
    return {
      reason: `names ${quote(file)}, which cannot be read (${(error as NodeJS.ErrnoException).code})`,
    };
  }
}
