import { rowOf, segmentBits } from './segment.ts';

const chunkBits = 6;
const chunkSize = 1 << chunkBits;

/** By place: the slot of its newest version, or 0 if there is only the first, which is the place itself. */
type Chunk = number[];

/** The chunks of the places in one segment. */
type Chunks = (Chunk | undefined)[];

/**
 * The newest version of each resource. Lists and ids refer to a resource by its place, the slot of its first version
 * with the same display name: a change of anything else, as of a state, changes neither of them. Immutable, and shares
 * what did not change.
 */
export class Versions {
  static readonly none = new Versions([]);

  readonly bySegment: readonly (Chunks | undefined)[];

  constructor(bySegment: readonly (Chunks | undefined)[]) {
    this.bySegment = bySegment;
  }

  /** The slot of the newest version. */
  at(place: number): number {
    const chunk = this.bySegment[place >>> segmentBits]?.[rowOf(place) >>> chunkBits];
    return chunk === undefined ? place : chunk[place & (chunkSize - 1)]! || place;
  }

  /** Replaces the first `count` places by slots. */
  resolve(places: Uint32Array, count: number): void {
    if (this.bySegment.length === 0) return;
    for (let at = 0; at < count; at++) places[at] = this.at(places[at]!);
  }
}

/** Copies what it changes, once. */
export class VersionsBuilder {
  readonly #base: Versions;
  #bySegment: (Chunks | undefined)[] | undefined;
  readonly #owned = new Set<Chunks | Chunk>();

  constructor(base: Versions) {
    this.#base = base;
  }

  set(place: number, slot: number): void {
    this.#bySegment ??= this.#base.bySegment.slice();
    const bySegment = this.#bySegment;
    const segment = place >>> segmentBits;
    // Without holes, it is read faster.
    while (bySegment.length <= segment) bySegment.push(undefined);
    const chunks = this.#own(bySegment[segment], undefined);
    bySegment[segment] = chunks;
    const number = rowOf(place) >>> chunkBits;
    const chunk = this.#own(chunks[number], 0);
    chunks[number] = chunk;
    chunk[place & (chunkSize - 1)] = slot;
  }

  finish(): Versions {
    return this.#bySegment === undefined ? this.#base : new Versions(this.#bySegment);
  }

  #own<T extends Chunk | undefined | number>(items: T[] | undefined, missing: T): T[] {
    if (items !== undefined && this.#owned.has(items as Chunks | Chunk)) return items;
    const copy = items === undefined ? new Array<T>(chunkSize).fill(missing) : items.slice();
    this.#owned.add(copy as Chunks | Chunk);
    return copy;
  }
}
