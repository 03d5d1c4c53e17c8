import { type AlertmanagerAnswer, readAlertmanager } from '../alertmanager/read-alerts.ts';
import type { Endpoint } from '../config/source.ts';
import type { Labels } from '../http/shape.ts';
import { type Rules, readRules } from '../prometheus/read-rules.ts';
import { readSeries, type SeriesQuestion } from '../prometheus/read-series.ts';
import { readTargets } from '../prometheus/read-targets.ts';

/** What can be asked of a server. All of it throws `SourceFailure` if there is no good answer. */
export interface SourceReader {
  rules(endpoint: Endpoint, signal?: AbortSignal): Promise<Rules>;
  alertmanager(endpoint: Endpoint, signal?: AbortSignal): Promise<AlertmanagerAnswer>;
  targets(endpoint: Endpoint, signal?: AbortSignal): Promise<readonly Labels[]>;
  series(
    endpoint: Endpoint,
    question: SeriesQuestion,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly Labels[]>>;
}

/** Asks on the thread that it is called on. */
export const directReader: SourceReader = {
  rules: (endpoint, signal) => readRules(endpoint, { signal }),
  alertmanager: (endpoint, signal) => readAlertmanager(endpoint, { signal }),
  targets: (endpoint, signal) => readTargets(endpoint, { signal }),
  series: (endpoint, question, signal) => readSeries(endpoint, question, { signal }),
};
