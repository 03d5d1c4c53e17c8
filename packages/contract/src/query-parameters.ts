import { decodeParameter, givenTwice, unknownParameter, withoutValue } from './parameter-text.ts';

/**
 * The parameters of a request to one of Roster's own operations. Always strict. An empty value is as if the
 * parameter were absent where it reads, and refused where it writes: `dry_run=` must not write.
 */
export class QueryParameters<Name extends string> {
  readonly #values = new Map<Name, string[]>();

  /** Reads the part of a URL behind `?`. */
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
