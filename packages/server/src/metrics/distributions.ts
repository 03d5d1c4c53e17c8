import type { Metric, Registry } from 'prom-client';

export interface DistributionsOptions {
  readonly name: string;
  readonly help: string;
  /** The upper bounds of the buckets, ascending. */
  readonly bounds: readonly number[];
}

/** How many values there were in each bucket. */
export class Distribution {
  readonly #bounds: readonly number[];
  /** One for each bound, and one for what is above all of them. */
  readonly counts: Float64Array;
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let at = 0;
    while (at < this.#bounds.length && value > this.#bounds[at]!) at++;
    this.counts[at]!++;
    this.sum += value;
  }
}

/**
 * A histogram of a registry. That of prom-client looks its labels up in every observation; whoever observes
 * often keeps the `Distribution` of its labels here, and all work is left to the scrape.
 */
export class Distributions<Label extends string = never> {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly #bounds: readonly number[];
  readonly #members: { labels: Record<Label, string>; distribution: Distribution }[] = [];

  constructor(registry: Registry, { name, help, bounds }: DistributionsOptions) {
    this.name = name;
    this.help = help;
    this.#bounds = bounds;
    // A registry asks its metrics for nothing but their name and `get`.
    registry.registerMetric(this as unknown as Metric);
  }

  /** A new one: to be asked for once for the same labels, and kept. */
  add(labels: Record<Label, string>): Distribution {
    const distribution = new Distribution(this.#bounds);
    this.#members.push({ labels, distribution });
    return distribution;
  }

  get(): object {
    const values = this.#members.flatMap(({ labels, distribution }) => this.#series(labels, distribution));
    const { name, help, type } = this;
    return { name, help, type, values, aggregator: 'sum' };
  }

  #series(labels: Record<Label, string>, { counts, sum }: Distribution): object[] {
    let count = 0;
    const buckets = Array.from(counts, (added, at) => {
      count += added;
      return {
        metricName: `${this.name}_bucket`,
        labels: { ...labels, le: this.#bounds[at] ?? '+Inf' },
        value: count,
      };
    });
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: count },
    ];
  }
}
