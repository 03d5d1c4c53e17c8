/** So many windows in a row must be strained before anything is turned away: one long pause is no overload. */
const patience = 4;
const step = 0.1;
const most = 0.98;

/**
 * Which share of the requests to turn away, from the strain in each window of time: 1 is as much as may be. The
 * share moves in steps and stays where it is between half of that and all of it, so that it does not flap.
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
