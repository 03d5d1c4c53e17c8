import { limits, quote, type RecordError, type ResourceRecord } from '@roster/contract';

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

interface FieldLimit {
  readonly field: string;
  readonly key: 'typeKey' | 'state' | 'product';
  readonly max: number;
  readonly plural: string;
  readonly hint: string;
}

const typeLimit: FieldLimit = {
  field: 'resource_type',
  key: 'typeKey',
  max: limits.maxTypes,
  plural: 'resource types',
  hint: 'a type groups resources',
};

const stateLimit: FieldLimit = {
  field: 'state',
  key: 'state',
  max: limits.maxStates,
  plural: 'states in a station',
  hint: 'a state is shared by resources',
};

const productLimit: FieldLimit = {
  field: 'product',
  key: 'product',
  max: limits.maxProducts,
  plural: 'products in a body',
  hint: 'a product groups resources',
};

/** Finds columns that are mapped wrongly: too many different values in a field that groups resources. */
export class DistinctValues {
  readonly #fields: readonly DistinctField[];

  constructor({ types, states }: KnownValues) {
    this.#fields = [
      new DistinctField(typeLimit, types),
      new DistinctField(stateLimit, states),
      new DistinctField(productLimit, new Set()),
    ];
  }

  /** The errors of a record that has one value too many. The values of all others are remembered. */
  findErrors(record: ResourceRecord, line: number): RecordError[] {
    const errors: RecordError[] = [];
    for (const field of this.#fields) {
      const reason = field.take(record);
      if (reason !== undefined) errors.push({ line, field: field.name, reason });
    }
    return errors;
  }
}

class DistinctField {
  readonly #limit: FieldLimit;
  readonly #known: Values;
  readonly #added = new Set<string>();

  constructor(limit: FieldLimit, known: Values) {
    this.#limit = limit;
    this.#known = known;
  }

  get name(): string {
    return this.#limit.field;
  }

  /** Returns why the value is one too many, if it is. */
  take(record: ResourceRecord): string | undefined {
    const { key, max, plural, hint } = this.#limit;
    const value = record[key];
    if (value === undefined || this.#added.has(value) || this.#known.has(value)) return undefined;
    if (this.#known.size + this.#added.size >= max) {
      return `would be one more than ${max} ${plural}, got ${quote(value)}; ${hint}: is this column mapped correctly?`;
    }
    this.#added.add(value);
    return undefined;
  }
}
