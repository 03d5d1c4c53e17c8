import { renderResourceHead } from '@roster/contract';

/** What a resource is filtered by, apart from its name and id. */
interface Bucket {
  readonly typeKey: string;
  readonly product: string;
  readonly alertable: boolean;
  /** The lists that a resource of this bucket stands in. */
  readonly lists: readonly number[];
  /** The label that is rendered into the rows of this bucket. */
  readonly label: string;
  /** The rendered start of those rows: a comma, then the JSON up to where it no longer depends on the language. */
  readonly head: Buffer;
}

/** The label of a resource type in the default locale. */
export type LabelOf = (typeKey: string) => string;

/** The list that holds all resources of a station. */
export const allResources = 0;

/**
 * Numbers the distinct combinations of type, product and alertable, and the lists they stand in: one
 * list for every combination of filters that a query can make of them. It only grows, so snapshots share it.
 */
export class Buckets {
  readonly #buckets: Bucket[] = [];
  /** By type, product and alertable. */
  readonly #numbers = new Map<string, Map<string, { alertable?: number; silent?: number }>>();
  readonly #lists = new Map<string, number>([[listKey(undefined, undefined, false), allResources]]);
  readonly #labelOf: LabelOf;

  constructor(labelOf: LabelOf) {
    this.#labelOf = labelOf;
  }

  get size(): number {
    return this.#buckets.length;
  }

  get listCount(): number {
    return this.#lists.size;
  }

  at(bucket: number): Bucket {
    return this.#buckets[bucket]!;
  }

  numberOf(typeKey: string, product: string, alertable: boolean): number {
    const known = this.#numbers.get(typeKey)?.get(product)?.[alertable ? 'alertable' : 'silent'];
    return known ?? this.#add({ typeKey, product, alertable });
  }

  /** The list for these filters, or undefined when no resource has ever matched them. */
  findList(typeKey: string | undefined, product: string | undefined, alertable: boolean): number | undefined {
    if (typeKey === undefined && product === undefined && !alertable) return allResources;
    return this.#lists.get(listKey(typeKey, product, alertable));
  }

  #add(filters: Pick<Bucket, 'typeKey' | 'product' | 'alertable'>): number {
    const { typeKey, product, alertable } = filters;
    const lists: number[] = [];
    for (const type of [undefined, typeKey]) {
      for (const ofProduct of product === '' ? [undefined] : [undefined, product]) {
        for (const alertableOnly of alertable ? [false, true] : [false]) {
          lists.push(this.#listNumber(listKey(type, ofProduct, alertableOnly)));
        }
      }
    }
    const label = this.#labelOf(typeKey);
    const head = Buffer.from(`,${renderResourceHead(typeKey, label)}`);
    const number = this.#buckets.push({ ...filters, lists, label, head }) - 1;
    const ofType = this.#numbers.get(typeKey) ?? new Map();
    this.#numbers.set(typeKey, ofType);
    ofType.set(product, { ...ofType.get(product), [alertable ? 'alertable' : 'silent']: number });
    return number;
  }

  #listNumber(key: string): number {
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const number = this.#lists.size;
    this.#lists.set(key, number);
    return number;
  }
}

function listKey(typeKey: string | undefined, product: string | undefined, alertable: boolean): string {
  return `${typeKey ?? ''}\n${product ?? ''}\n${alertable}`;
}
