import type { Metric, Registry } from 'prom-client';

interface DistributionsOptions {
  readonly name: string;
  readonly help: string;
  /** The upper bounds of the buckets, ascending. */
  readonly bounds: readonly number[];
}

/** The number of values in each bucket. */
export class Distribution {
  readonly #bounds: readonly number[];
  /** One for each bound, and one for larger values. */
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
 * A histogram. That of prom-client looks up labels with every value; here, callers keep the `Distribution` of their
 * labels, and the scrape does the rest.
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
    // A registry uses only the name and `get` of a metric.
    registry.registerMetric(this as unknown as Metric);
  }

  /** Call this once for the same labels, and keep the result. */
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
