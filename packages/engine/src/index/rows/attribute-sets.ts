import { type LabelMap, parseLabels } from '@roster/contract';
import type { Attributes } from '../../port/rendered-resources.ts';

/** A combination of attributes that resources have. */
export interface AttributeSet extends Attributes {
  readonly labelMap: LabelMap;
  /** The rendered end of their records: the labels, and the closing brace. */
  readonly recordEnd: Buffer;
}

/** Numbers the combinations of attributes. It only grows, so snapshots share it. */
export class AttributeSets {
  readonly #sets: AttributeSet[] = [];
  readonly #numbers = new Map<string, number>();

  get size(): number {
    return this.#sets.length;
  }

  at(number: number): AttributeSet {
    return this.#sets[number]!;
  }

  values(): Iterable<AttributeSet> {
    return this.#sets.values();
  }

  numberOf({ sku, gpuModel, labels }: Attributes): number {
    return this.#numbers.getOrInsertComputed(`${sku}\0${gpuModel}\0${labels}`, () => {
      const recordEnd = Buffer.from(`,"labels":${labels}}`);
      return this.#sets.push({ sku, gpuModel, labels, labelMap: parseLabels(labels), recordEnd }) - 1;
    });
  }
}
