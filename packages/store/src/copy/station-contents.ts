import { isDeepStrictEqual } from 'node:util';
import type { Resource } from '@roster/contract';
import { Digest, type StationCounts } from '@roster/engine/port';

/** The contents of a station as a digest and as counts, built one resource at a time. */
export class StationContents {
  readonly #digest = new Digest();
  readonly #byState = new Map<string, number>();
  #resources = 0;
  #alertable = 0;
  #uncovered = 0;

  add(resource: Resource): void {
    const { state, alertable, alertRulesCount } = resource;
    this.#digest.add(resource);
    this.#resources++;
    if (alertable) this.#alertable++;
    if (alertable && alertRulesCount === 0) this.#uncovered++;
    this.#byState.set(state, (this.#byState.get(state) ?? 0) + 1);
  }

  get counts(): StationCounts {
    return {
      resources: this.#resources,
      alertable: this.#alertable,
      uncovered: this.#uncovered,
      byState: Object.fromEntries(this.#byState),
    };
  }

  equals(other: StationContents): boolean {
    return this.#digest.toString() === other.#digest.toString() && this.hasCounts(other.counts);
  }

  hasCounts(counts: StationCounts): boolean {
    return isDeepStrictEqual(this.counts, counts);
  }
}
