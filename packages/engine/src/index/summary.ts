import type { Bucket } from './rows/buckets.ts';

export interface Counts {
  readonly total: number;
  readonly alertable: number;
  /** Alertable resources with alert rules. */
  readonly covered: number;
  /** Alertable resources without alert rules. */
  readonly uncovered: number;
  /** By state, sorted; states without resources are left out. */
  readonly byState: Readonly<Record<string, number>>;
}

export interface TypeCounts extends Counts {
  readonly typeKey: string;
}

export interface ProductCounts extends Counts {
  /** Empty for resources without a product. */
  readonly product: string;
}

/** The counts of a query, and of each type and product it finds, sorted. */
export interface Summary extends Counts {
  readonly byType: readonly TypeCounts[];
  readonly byProduct: readonly ProductCounts[];
}

export class SummaryBuilder {
  readonly #all = new Tally();
  readonly #byType = new Map<string, Tally>();
  readonly #byProduct = new Map<string, Tally>();

  add(bucket: Bucket, count: number): void {
    if (count === 0) return;
    this.#all.add(bucket, count);
    this.#byType.getOrInsertComputed(bucket.typeKey, () => new Tally()).add(bucket, count);
    this.#byProduct.getOrInsertComputed(bucket.product, () => new Tally()).add(bucket, count);
  }

  finish(): Summary {
    return {
      ...this.#all.counts(),
      byType: inOrder(this.#byType).map(([typeKey, tally]) => ({ typeKey, ...tally.counts() })),
      byProduct: inOrder(this.#byProduct).map(([product, tally]) => ({ product, ...tally.counts() })),
    };
  }
}

class Tally {
  #total = 0;
  #covered = 0;
  #uncovered = 0;
  readonly #byState = new Map<string, number>();

  add({ alertable, hasRules, state }: Bucket, count: number): void {
    this.#total += count;
    if (alertable && hasRules) this.#covered += count;
    if (alertable && !hasRules) this.#uncovered += count;
    this.#byState.set(state, (this.#byState.get(state) ?? 0) + count);
  }

  counts(): Counts {
    return {
      total: this.#total,
      alertable: this.#covered + this.#uncovered,
      covered: this.#covered,
      uncovered: this.#uncovered,
      byState: Object.fromEntries(inOrder(this.#byState)),
    };
  }
}

function inOrder<Value>(byName: ReadonlyMap<string, Value>): [string, Value][] {
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1));
}
