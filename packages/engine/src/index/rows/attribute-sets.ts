import type { Attributes } from '../../port/rendered-resources.ts';

/** Measured, without texts. */
const bytesPerSet = 300;

/**
 * Numbers the combinations of attributes that resources have. It only grows, so snapshots share it. There may be as
 * many as resources, so each is held as small as possible.
 */
export class AttributeSets {
  readonly #sets: Attributes[] = [];
  readonly #numbers = new Map<string, number>();

  /** Their memory. A text takes two bytes a character, and is held twice. */
  bytes = 0;

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
    const key = `${sku}\0${gpuModel}\0${labels}`;
    return this.#numbers.getOrInsertComputed(key, () => {
      this.bytes += bytesPerSet + 4 * key.length;
      return this.#sets.push({ sku, gpuModel, labels }) - 1;
    });
  }
}
