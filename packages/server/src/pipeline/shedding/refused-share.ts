/** How many consecutive windows must be strained: one long pause is no overload. */
const patience = 4;
const step = 0.1;
const most = 0.98;

/**
 * The share of requests to refuse. It grows in steps while the strain of each window is above 1, shrinks below 0.5, and
 * stays in between so that it does not flap.
 */
export class RefusedShare {
  #strainedWindows = 0;
  #share = 0;

  get value(): number {
    return this.#share;
  }

  observe(strain: number): void {
    this.#strainedWindows = strain > 1 ? this.#strainedWindows + 1 : 0;
    if (this.#strainedWindows >= patience) this.#share = Math.min(most, this.#share + step);
    else if (strain < 0.5) this.#share = this.#share < step ? 0 : this.#share - step;
  }
}
