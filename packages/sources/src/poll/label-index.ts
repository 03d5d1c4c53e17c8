import type { Labels } from '../http/shape.ts';

/** Finds what has certain labels without looking at all of it. */
export class LabelIndex<T extends { readonly labels: Labels }> {
  readonly #all: readonly T[];
  readonly #byLabel = new Map<string, T[]>();

  constructor(all: readonly T[]) {
    this.#all = all;
    for (const each of all) {
      for (const [name, value] of Object.entries(each.labels)) {
        this.#byLabel.getOrInsertComputed(keyOf(name, value), (): T[] => []).push(each);
      }
    }
  }

  /** Those that have all of these labels; they may have more. */
  having(labels: Labels): readonly T[] {
    let fewest = this.#all;
    for (const [name, value] of Object.entries(labels)) {
      const found = this.#byLabel.get(keyOf(name, value));
      if (found === undefined) return [];
      if (found.length < fewest.length) fewest = found;
    }
    return fewest.filter((each) => hasAll(each.labels, labels));
  }
}

function keyOf(name: string, value: string): string {
  return `${name}\0${value}`;
}

function hasAll(labels: Labels, some: Labels): boolean {
  return Object.entries(some).every(([name, value]) => Object.hasOwn(labels, name) && labels[name] === value);
}
