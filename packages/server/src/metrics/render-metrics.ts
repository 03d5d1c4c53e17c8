import { TimeSlicer } from '@roster/engine';
import type { Registry } from 'prom-client';
import { ScrapedGauge } from './scraped-gauge.ts';

const linesPerLookAtClock = 32;

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
  for (const { labels = {}, value } of await read()) {
    lines.push(`${name}${renderLabels(labels)} ${value}`);
    if (lines.length % linesPerLookAtClock === 0 && slicer.isDue) await slicer.pause();
  }
  return lines.join('\n');
}

function renderLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeLabel(text: string): string {
  return text.replace(/[\\"\n]/g, (mark) => (mark === '\n' ? '\\n' : `\\${mark}`));
}
