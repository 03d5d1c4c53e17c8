import { decodeParameter, givenTwice, unknownParameter, withoutValue } from './parameter-text.ts';

interface Options {
  readonly mayBeEmpty?: boolean;
  readonly family?: string;
}

/**
 * The parameters of a roster API request. Unknown ones are always refused. An empty value counts as absent in
 * reads, and is refused in writes: `dry_run=` must not write.
 */
export class QueryParameters<Name extends string> {
  readonly #values = new Map<string, string[]>();
  readonly #family = new Map<string, string[]>();

  /** Reads the query string after `?`. Parameters that begin with `family` are known as well. */
  constructor(search: string, names: readonly Name[], { mayBeEmpty = true, family }: Options = {}) {
    for (const pair of search.split('&')) {
      if (pair === '') continue;
      const [rawName = '', ...rest] = pair.split('=');
      const decoded = decodeParameter(rawName, rawName);
      const isOfFamily = family !== undefined && decoded.startsWith(family);
      const name = isOfFamily ? (decoded as Name) : names.find((known) => known === decoded);
      if (name === undefined) {
        throw unknownParameter(rawName, family === undefined ? names : [...names, `${family}<key>`]);
      }
      const value = decodeParameter(rest.join('='), name);
      if (value === '' && !mayBeEmpty) throw withoutValue(name);
      if (value === '') continue;
      const values = isOfFamily ? this.#family : this.#values;
      values.set(name, [...(values.get(name) ?? []), value]);
    }
  }

  /** Throws `invalid_parameter` when it is given more than once. */
  one(name: Name): string | undefined {
    const values = this.all(name);
    if (values.length > 1) throw givenTwice(name, values);
    return values[0];
  }

  all(name: Name): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  family(): ReadonlyMap<string, readonly string[]> {
    return this.#family;
  }
}

/** For operations without parameters. */
export function refuseParameters(search: string): void {
  new QueryParameters(search, []);
}
