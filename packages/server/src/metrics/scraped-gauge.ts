import { type MaybePromise, TimeSlicer } from '@roster/engine';
import type { Metric, Registry } from 'prom-client';

export interface GaugeValue {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A number, or values with labels in the same order. Without a value, the gauge is absent. */
type Read = () => MaybePromise<number | undefined | Iterable<GaugeValue>>;

const linesPerLookAtClock = 32;

/**
 * A gauge that is read when it is scraped. That of prom-client identifies values by a text made from their labels, and
 * names with commas and colons can make the same text.
 */
class ScrapedGauge {
  readonly type = 'gauge';
  readonly name: string;
  readonly help: string;
  readonly read: Read;

  constructor(name: string, help: string, read: Read) {
    this.name = name;
    this.help = help;
    this.read = read;
  }
}

/** Returns a function that adds gauges to the registry. `help` has one line. */
export function gaugesIn(registry: Registry): (name: string, help: string, read: Read) => void {
  return (name, help, read) =>
    registry.registerMetric(new ScrapedGauge(name, help, read) as unknown as Metric);
}

/** All metrics as text, in slices: a large inventory must not keep requests waiting. */
export async function renderMetrics(registry: Registry): Promise<string> {
  const slicer = new TimeSlicer();
  const texts: string[] = [];
  for (const { name } of registry.getMetricsAsArray()) {
    const metric: unknown = registry.getSingleMetric(name);
    if (metric instanceof ScrapedGauge) texts.push(await renderGauge(metric, slicer));
    else texts.push(await registry.getSingleMetricAsString(name));
    if (slicer.isDue) await slicer.pause();
  }
  return `${texts.join('\n\n')}\n`;
}

async function renderGauge({ name, help, type, read }: ScrapedGauge, slicer: TimeSlicer): Promise<string> {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
  const found = (await read()) ?? [];
  for (const { labels, value } of typeof found === 'number' ? [{ labels: {}, value: found }] : found) {
    lines.push(`${name}${renderLabels(labels)} ${value}`);
    if (lines.length % linesPerLookAtClock === 0 && slicer.isDue) await slicer.pause();
  }
  return lines.join('\n');
}

function renderLabels(labels: GaugeValue['labels']): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeLabel(text: string): string {
  return text.replace(/[\\"\n]/g, (mark) => (mark === '\n' ? '\\n' : `\\${mark}`));
}
