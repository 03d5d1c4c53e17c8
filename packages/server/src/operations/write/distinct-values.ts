import { limits, quote, type RecordError, type ResourcePatch } from '@roster/contract';

/** A `Set`, or the keys of a `Map`. */
interface Values {
  readonly size: number;
  has(value: string): boolean;
}

/** The types and states that exist before a body is read. */
export interface KnownValues {
  readonly types: Values;
  readonly states: Values;
}

const fields = [
  {
    name: 'resource_type',
    key: 'typeKey',
    max: limits.maxTypes,
    plural: 'resource types',
    hint: 'a type groups resources',
  },
  {
    name: 'state',
    key: 'state',
    max: limits.maxStates,
    plural: 'states in a station',
    hint: 'a state is shared by resources',
  },
  {
    name: 'product',
    key: 'product',
    max: limits.maxProducts,
    plural: 'products in a body',
    hint: 'a product groups resources',
  },
] as const;

const noErrors: readonly RecordError[] = [];

/** Finds columns that are mapped wrongly: too many different values in a field that groups resources. */
export class DistinctValues {
  readonly #known: Readonly<Record<'typeKey' | 'state' | 'product', Values>>;
  readonly #added = { typeKey: new Set<string>(), state: new Set<string>(), product: new Set<string>() };

  constructor({ types, states }: KnownValues) {
    this.#known = { typeKey: types, state: states, product: new Set() };
  }

  /** The states of records that were not known before. */
  get addedStates(): ReadonlySet<string> {
    return this.#added.state;
  }

  /** The errors of a record that has one value too many. The values of other records are remembered. */
  findErrors(record: ResourcePatch, line: number): readonly RecordError[] {
    const { typeKey, state, product } = this.#added;
    // Nearly always: looking no further saves half of the time.
    if (
      (record.typeKey === undefined || typeKey.has(record.typeKey)) &&
      (record.state === undefined || state.has(record.state)) &&
      (record.product === undefined || product.has(record.product))
    ) {
      return noErrors;
    }
    return this.#findErrors(record, line);
  }

  #findErrors(record: ResourcePatch, line: number): RecordError[] {
    const errors: RecordError[] = [];
    for (const { name, key, max, plural, hint } of fields) {
      const value = record[key];
      const known = this.#known[key];
      const added = this.#added[key];
      if (value === undefined || added.has(value) || known.has(value)) continue;
      if (known.size + added.size < max) added.add(value);
      else {
        const reason = `would be one more than ${max} ${plural}, got ${quote(value)}; ${hint}: is this column mapped correctly?`;
        errors.push({ line, field: name, reason });
      }
    }
    return errors;
  }
}
