import type { Attributes } from '../../port/rendered-resources.ts';

/**
 * Numbers the combinations of attributes that resources have. It only grows, so snapshots share it. There may be as
 * many as resources, so each is held as small as possible.
 */
export class AttributeSets {
  readonly #sets: Attributes[] = [];
  readonly #numbers = new Map<string, number>();

  get size(): number {
    return this.#sets.length;
  }

  at(number: number): Attributes {
    return this.#sets[number]!;
  }

  values(): Iterable<Attributes> {
    return this.#sets.values();
  }

  numberOf({ sku, gpuModel, labels }: Attributes): number {
    return this.#numbers.getOrInsertComputed(
      `${sku}\0${gpuModel}\0${labels}`,
      () => this.#sets.push({ sku, gpuModel, labels }) - 1,
    );
  }
}
