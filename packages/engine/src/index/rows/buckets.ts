import { renderRecordKind, renderResourceHead } from '@roster/contract';
import type { Kind } from '../../port/rendered-resources.ts';

/** Resources that every filter and count treats alike. */
export interface Bucket extends Kind {
  readonly ownList: number;
  /** All lists that contain them, `ownList` included. */
  readonly lists: readonly number[];
  /** The label rendered into their rows. */
  readonly label: string;
  /** The rendered start of their rows: a comma, then the JSON that depends on the language. */
  readonly rowStart: Buffer;
  /** Replaces a row's closing brace when it is rendered as a record: product, alertable. */
  readonly recordKind: Buffer;
}

/** The label of a resource type in the default locale. */
export type LabelOf = (typeKey: string) => string;

type ListNumbers = Map<string | undefined, Map<string | undefined, number[]>>;

/** The list that holds all resources of a station. */
export const allResources = 0;

/**
 * Numbers the buckets and lists: one list per bucket, and one per combination of filters. It only grows, so
 * snapshots share it.
 */
export class Buckets {
  readonly #buckets: Bucket[] = [];
  /** By type, product and state, then by `variantOf`. */
  readonly #numbers = new Map<string, Map<string, Map<string, number[]>>>();
  /** By type and product (undefined for all), then by whether only alertable resources are wanted. */
  readonly #lists: ListNumbers = new Map([[undefined, new Map([[undefined, [allResources]]])]]);
  #listCount = 1;
  readonly #buffers = new Map<string, Buffer>();
  readonly #labelOf: LabelOf;
  /** By type: the label rendered into all of its buckets, even if it is renamed later. */
  readonly #labels = new Map<string, string>();

  constructor(labelOf: LabelOf) {
    this.#labelOf = labelOf;
  }

  get size(): number {
    return this.#buckets.length;
  }

  get listCount(): number {
    return this.#listCount;
  }

  values(): Iterable<Bucket> {
    return this.#buckets.values();
  }

  at(bucket: number): Bucket {
    return this.#buckets[bucket]!;
  }

  numberOf(kind: Kind): number {
    const numbers = this.#numbers.get(kind.typeKey)?.get(kind.product)?.get(kind.state);
    return numbers?.[variantOf(kind)] ?? this.#add(kind);
  }

  /** The list for these filters, or undefined if nothing has ever matched. */
  findList(typeKey: string | undefined, product: string | undefined, alertable: boolean): number | undefined {
    return this.#lists.get(typeKey)?.get(product)?.[alertable ? 1 : 0];
  }

  #add({ typeKey, product, alertable, state, hasRules }: Kind): number {
    const kind = { typeKey, product, alertable, state, hasRules };
    const ownList = this.#listCount++;
    const lists = [...this.#filterLists(kind), ownList];
    const label = this.#labels.getOrInsertComputed(typeKey, this.#labelOf);
    const rowStart = this.#buffer(`,${renderResourceHead(typeKey, label)}`);
    const recordKind = this.#buffer(renderRecordKind(product, alertable));
    const number = this.#buckets.push({ ...kind, ownList, lists, label, rowStart, recordKind }) - 1;
    this.#numbers
      .getOrInsertComputed(typeKey, () => new Map())
      .getOrInsertComputed(product, () => new Map())
      .getOrInsertComputed(state, () => [])[variantOf(kind)] = number;
    return number;
  }

  #filterLists({ typeKey, product, alertable }: Kind): number[] {
    const lists: number[] = [];
    for (const type of [undefined, typeKey]) {
      for (const ofProduct of product === '' ? [undefined] : [undefined, product]) {
        const numbers = this.#lists
          .getOrInsertComputed(type, () => new Map())
          .getOrInsertComputed(ofProduct, () => []);
        numbers[0] ??= this.#listCount++;
        lists.push(numbers[0]);
        if (!alertable) continue;
        numbers[1] ??= this.#listCount++;
        lists.push(numbers[1]);
      }
    }
    return lists;
  }

  #buffer(text: string): Buffer {
    return this.#buffers.getOrInsertComputed(text, () => Buffer.from(text));
  }
}

function variantOf({ alertable, hasRules }: Kind): number {
  return (alertable ? 1 : 0) + (hasRules ? 2 : 0);
}
