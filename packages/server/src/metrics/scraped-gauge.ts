import type { Metric, Registry } from 'prom-client';

export interface GaugeValue {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

type GaugeValues = Iterable<GaugeValue>;

export interface ScrapedGaugeOptions {
  readonly name: string;
  /** Of one line. */
  readonly help: string;
  /** Without any value the gauge is absent. Labels always come in the same order. */
  read(): GaugeValues | Promise<GaugeValues>;
}

/**
 * A gauge that is read when it is scraped, and rendered by `renderMetrics`. That of prom-client keeps its values
 * by a text made from their labels, and names with commas and colons can make the same text.
 */
export class ScrapedGauge {
  readonly name: string;
  readonly help: string;
  readonly type = 'gauge';
  readonly read: ScrapedGaugeOptions['read'];

  constructor(registry: Registry, { name, help, read }: ScrapedGaugeOptions) {
    this.name = name;
    this.help = help;
    this.read = read;
    registry.registerMetric(this as unknown as Metric);
  }
}
