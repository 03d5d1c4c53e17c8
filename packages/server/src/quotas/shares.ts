/** Counts what each owner holds of a limited resource. One owner may hold half. */
export class Shares {
  readonly #max: number;
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get total(): number {
    return this.#total;
  }

  get isOver(): boolean {
    return this.#total > this.#max;
  }

  isOwnerOver(owner: string): boolean {
    return this.of(owner) > Math.ceil(this.#max / 2);
  }

  of(owner: string): number {
    return this.#held.get(owner) ?? 0;
  }

  hold(owner: string, count = 1): void {
    this.#total += count;
    this.#held.set(owner, this.of(owner) + count);
  }

  release(owner: string, count = 1): void {
    this.#total -= count;
    const left = this.of(owner) - count;
    if (left > 0) this.#held.set(owner, left);
    else this.#held.delete(owner);
  }

  /** The owner that holds most. */
  largest(): string | undefined {
    let largest: string | undefined;
    for (const [owner, count] of this.#held) {
      if (largest === undefined || count > this.of(largest)) largest = owner;
    }
    return largest;
  }
}
