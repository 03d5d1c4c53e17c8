import { nearestName, quote } from '@roster/contract';

/** What is wrong with a part of the configuration. `path` leads to it. */
export interface ConfigError {
  readonly path: readonly string[];
  /** Follows the name of the part. */
  readonly reason: string;
}

/** A part of the configuration, and where errors in it go. */
export class ConfigValue {
  readonly value: unknown;
  readonly #path: readonly string[];
  readonly #errors: ConfigError[];

  constructor(value: unknown, path: readonly string[], errors: ConfigError[]) {
    this.value = value;
    this.#path = path;
    this.#errors = errors;
  }

  refuse(reason: string): undefined {
    this.#errors.push({ path: this.#path, reason });
    return undefined;
  }

  /** Its members, if it is an object that has no others. */
  members<Name extends string>(names: readonly Name[]): Partial<Record<Name, ConfigValue>> | undefined {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return this.refuse(`must have keys with values, such as ${names.join(', ')}; got ${quote(value)}`);
    }
    const members: Partial<Record<Name, ConfigValue>> = {};
    for (const [name, member] of Object.entries(value)) {
      const inner = new ConfigValue(member, [...this.#path, name], this.#errors);
      const known = names.find((each) => each === name);
      if (known !== undefined) members[known] = inner;
      else inner.refuse(`is not known here${suggest(name, names)}`);
    }
    return members;
  }

  /** Its members, if it is an object that has any, whatever their names. */
  entries(): (readonly [string, ConfigValue])[] | undefined {
    const { value } = this;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const entries = isObject ? Object.entries(value) : [];
    if (entries.length === 0) return this.refuse(`must have keys with values, got ${quote(value)}`);
    return entries.map(([name, member]) => [
      name,
      new ConfigValue(member, [...this.#path, name], this.#errors),
    ]);
  }

  /** Its items, if it is a list that has any. */
  items(): readonly ConfigValue[] | undefined {
    const { value } = this;
    if (!Array.isArray(value) || value.length === 0) {
      return this.refuse(`must be a list with at least one item, got ${quote(value)}`);
    }
    return value.map((item, at) => new ConfigValue(item, [...this.#path, String(at)], this.#errors));
  }

  /** `allowed` follows "must be". */
  text(pattern: RegExp, allowed: string): string | undefined {
    const { value } = this;
    if (typeof value === 'string' && pattern.test(value)) return value;
    return this.refuse(`must be ${allowed}, got ${quote(value)}`);
  }

  boolean(): boolean | undefined {
    const { value } = this;
    return typeof value === 'boolean' ? value : this.refuse(`must be true or false, got ${quote(value)}`);
  }
}

export function suggest(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? `; use ${known.join(', ')}` : `; did you mean ${nearest}?`;
}
