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

  numberOf({ sku, gpuModel, labels, station }: Attributes): number {
    const own = `${sku}\0${gpuModel}\0${labels}`;
    const key = station === undefined ? own : `${own}\0${station}`;
    return this.#numbers.getOrInsertComputed(key, () => {
      this.bytes += bytesPerSet + 4 * key.length;
      const set = { sku, gpuModel, labels };
      return this.#sets.push(station === undefined ? set : { ...set, station }) - 1;
    });
  }
}
