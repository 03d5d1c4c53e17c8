import type { Endpoint } from '../config/source.ts';
import type { Asking } from '../http/fetch-json.ts';
import { type Labels, labelsIn, listIn } from '../http/shape.ts';
import { askPrometheus } from './read-rules.ts';

/** How long ago a series may have had its last sample: long enough for a host that restarts. */
const windowSeconds = 3600;

export interface SeriesQuestion {
  readonly selectors: readonly {
    readonly text: string;
    /** Undefined if it may select series of several names. */
    readonly metric: string | undefined;
  }[];
  readonly labels: readonly string[];
}

/**
 * The distinct values of `labels` among the series of each selector, by its text. Several selectors may only be read
 * together if each has a metric of its own: then a series shows by its name whose it is.
 */
export async function readSeries(
  endpoint: Endpoint,
  { selectors, labels }: SeriesQuestion,
  asking?: Asking,
): Promise<ReadonlyMap<string, readonly Labels[]>> {
  const form = new URLSearchParams(selectors.map(({ text }) => ['match[]', text]));
  form.set('start', String(Math.floor(Date.now() / 1000) - windowSeconds));
  const { data } = await askPrometheus(endpoint, { path: '/api/v1/series', form, ...asking });
  const found = new Map(selectors.map((selector) => [selector, new Set<Labels>()]));
  // A host has the same labels in all its series.
  const shared = new Map<string, Labels>();
  const byMetric = new Map(selectors.map((selector) => [selector.metric, selector]));
  for (const given of listIn(data, 'series')) {
    const series = labelsIn(given, 'series');
    const selector = selectors.length === 1 ? selectors[0] : byMetric.get(series.__name__);
    const picked = pick(series, labels);
    const labelSet = shared.getOrInsert(JSON.stringify(picked), picked);
    if (selector !== undefined) found.get(selector)!.add(labelSet);
  }
  return new Map([...found].map(([{ text }, labelSets]) => [text, [...labelSets]]));
}

/** Labels with the same name are in the same order, so equal ones are equal texts. */
function pick(series: Labels, names: readonly string[]): Labels {
  const picked: Record<string, string> = {};
  for (const name of names) if (Object.hasOwn(series, name)) picked[name] = series[name]!;
  return picked;
}
