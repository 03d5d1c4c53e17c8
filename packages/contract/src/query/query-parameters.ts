import { decodeParameter, givenTwice, unknownParameter, withoutValue } from './parameter-text.ts';

/**
 * The parameters of a roster API request. Unknown ones are always refused. An empty value counts as absent in
 * reads, and is refused in writes: `dry_run=` must not write.
 */
export class QueryParameters<Name extends string> {
  readonly #values = new Map<Name, string[]>();

  /** Reads the query string after `?`. */
  constructor(search: string, names: readonly Name[], { mayBeEmpty = true } = {}) {
    for (const pair of search.split('&')) {
      if (pair === '') continue;
      const [rawName = '', ...rest] = pair.split('=');
      const decoded = decodeParameter(rawName, rawName);
      const name = names.find((known) => known === decoded);
      if (name === undefined) throw unknownParameter(rawName, names);
      const value = decodeParameter(rest.join('='), name);
      if (value === '' && !mayBeEmpty) throw withoutValue(name);
      if (value !== '') this.#values.set(name, [...this.all(name), value]);
    }
  }

  /** Throws `invalid_parameter` when it is given more than once. */
  one(name: Name): string | undefined {
    const values = this.all(name);
    if (values.length > 1) throw givenTwice(name);
    return values[0];
  }

  all(name: Name): readonly string[] {
    return this.#values.get(name) ?? [];
  }
}

/** For operations without parameters. */
export function refuseParameters(search: string): void {
  new QueryParameters(search, []);
}
