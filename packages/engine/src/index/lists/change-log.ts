/** Slots that left and joined a snapshot. */
export interface SlotChanges {
  readonly removed: ReadonlySet<number>;
  readonly added: ReadonlySet<number>;
}

interface Entry {
  readonly removed: readonly number[];
  readonly added: Uint32Array;
}

/**
 * What changed from one snapshot to the next while they share segments. Whatever is derived from a snapshot can be
 * brought up to a later one with it, instead of being derived again.
 */
export class ChangeLog {
  /** The position before the oldest entry. */
  #start = 0;
  #entries: Entry[] = [];
  #slots = 0;

  /** The position of the newest snapshot. */
  get position(): number {
    return this.#start + this.#entries.length;
  }

  /** Keeps about `maxSlots` changed slots; older entries are forgotten. */
  record(removed: readonly number[], added: Uint32Array, maxSlots: number): void {
    this.#entries.push({ removed, added });
    this.#slots += removed.length + added.length;
    while (this.#slots > maxSlots && this.#entries.length > 0) {
      const oldest = this.#entries.shift()!;
      this.#start++;
      this.#slots -= oldest.removed.length + oldest.added.length;
    }
  }

  /** The changes from one position to a later one; undefined if they are not known. */
  between(from: number, to: number): SlotChanges | undefined {
    if (from < this.#start || from > to || to > this.position) return undefined;
    const removed = new Set<number>();
    const added = new Set<number>();
    for (const entry of this.#entries.slice(from - this.#start, to - this.#start)) {
      for (const slot of entry.added) added.add(slot);
      for (const slot of entry.removed) if (!added.delete(slot)) removed.add(slot);
    }
    return { removed, added };
  }
}
