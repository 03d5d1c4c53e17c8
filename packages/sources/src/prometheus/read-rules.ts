import { shorten } from '@roster/contract';
import type { Alert } from '../alert.ts';
import type { Endpoint } from '../config/source.ts';
import { type Asking, fetchJson, type JsonRequest } from '../http/fetch-json.ts';
import { type Labels, labelsIn, listIn, objectIn, textIn, timeIn, webUrlIn } from '../http/shape.ts';
import { SourceFailure } from '../http/source-failure.ts';
import { fingerprintOf } from './fingerprint.ts';

export interface AlertingRule {
  readonly name: string;
  readonly expression: string;
  readonly labels: Labels;
  /** Undefined before its first evaluation: then it is not known which alerts it has. */
  readonly alerts: readonly Alert[] | undefined;
}

export interface RecordingRule {
  readonly name: string;
  readonly expression: string;
  readonly labels: Labels;
}

export interface Rules {
  readonly alerting: readonly AlertingRule[];
  readonly recording: readonly RecordingRule[];
  readonly warnings: readonly string[];
}

/** Unlike alerts, rules are taken over in one piece. */
const maxRules = 50_000;

/** Reads all rules with their alerts in one answer, so that they fit each other. */
export async function readRules(endpoint: Endpoint, asking?: Asking): Promise<Rules> {
  const { data, warnings } = await askPrometheus(endpoint, { path: '/api/v1/rules', ...asking });
  const alerting: AlertingRule[] = [];
  const recording: RecordingRule[] = [];
  for (const each of listIn(objectIn(data, 'data').groups, 'groups')) {
    for (const given of listIn(objectIn(each, 'group').rules, 'rules')) {
      const rule = objectIn(given, 'rule');
      const read = {
        name: textIn(rule.name, 'name'),
        expression: textIn(rule.query, 'query'),
        labels: labelsIn(rule.labels, 'labels'),
      };
      if (rule.type === 'recording') recording.push(read);
      else if (rule.type === 'alerting')
        alerting.push({
          ...read,
          alerts: readAlerts(rule, graphUrl(endpoint, read.expression)),
        });
    }
  }
  if (alerting.length + recording.length > maxRules)
    throw new SourceFailure(`answered with more than ${maxRules} rules`);
  return { alerting, recording, warnings };
}

/** In an order of ours: that of Prometheus is another each time, and the same alerts must make the same answer. */
function readAlerts(
  rule: Readonly<Record<string, unknown>>,
  generatorUrl: string | undefined,
): Alert[] | undefined {
  if (rule.health === 'unknown') return undefined;
  return listIn(rule.alerts ?? [], 'alerts')
    .flatMap((given) => readAlert(objectIn(given, 'alert'), generatorUrl) ?? [])
    .sort((one, other) => (one.fingerprint < other.fingerprint ? -1 : 1));
}

/** As Prometheus tells it to Alertmanager, but for the address. All alerts of the rule repeat it. */
export function graphUrl({ url }: Endpoint, expression: string): string | undefined {
  return webUrlIn(`${url}/graph?${new URLSearchParams({ 'g0.expr': expression, 'g0.tab': '1' })}`);
}

function readAlert(
  alert: Readonly<Record<string, unknown>>,
  generatorUrl: string | undefined,
): Alert | undefined {
  const { state } = alert;
  if (state !== 'firing' && state !== 'pending') return undefined;
  const labels = labelsIn(alert.labels, 'labels');
  return {
    fingerprint: fingerprintOf(labels),
    state,
    labels,
    annotations: labelsIn(alert.annotations, 'annotations'),
    sinceMs: timeIn(alert.activeAt, 'activeAt'),
    generatorUrl,
    silences: [],
    inhibitedBy: [],
  };
}

interface Answer {
  readonly data: unknown;
  readonly warnings: readonly string[];
}

/** Of what a server says of itself: it goes into logs, notes and answers. */
const longestText = 200;

/** The `data` of an answer. */
export async function askPrometheus(endpoint: Endpoint, request: JsonRequest): Promise<Answer> {
  const { status, data, error, warnings } = objectIn(await fetchJson(endpoint, request), 'an envelope');
  if (status !== 'success')
    throw new SourceFailure(`answered with the status ${textOf(status)}: ${textOf(error)}`);
  return {
    data,
    warnings: listIn(warnings ?? [], 'warnings')
      .slice(0, 10)
      .map(textOf),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? shorten(value, longestText) : typeof value;
}
