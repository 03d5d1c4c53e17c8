import { shorten } from '@roster/contract';
import type { Alert } from '../alert.ts';
import type { Endpoint } from '../config/source.ts';
import { fetchJson } from '../http/fetch-json.ts';
import { type Labels, labelsIn, listIn, objectIn, textIn, timeIn } from '../http/shape.ts';
import { SourceFailure } from '../http/source-failure.ts';
import { fingerprintOf } from './fingerprint.ts';

export interface AlertingRule {
  /** Its group, name and position there: stays the same while the rules do. */
  readonly key: string;
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

/** Reads all rules with their alerts in one answer, so that they fit each other. */
export async function readRules(endpoint: Endpoint, signal?: AbortSignal): Promise<Rules> {
  const { data, warnings } = await askPrometheus(endpoint, { path: '/api/v1/rules', signal });
  const alerting: AlertingRule[] = [];
  const recording: RecordingRule[] = [];
  for (const each of listIn(objectIn(data, 'data').groups, 'groups')) {
    const group = objectIn(each, 'group');
    const groupKey = `${group.file}\0${group.name}`;
    for (const [at, given] of listIn(group.rules, 'rules').entries()) {
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
          key: `${groupKey}\0${at}\0${read.name}`,
          alerts: readAlerts(rule, graphUrl(endpoint, read.expression)),
        });
    }
  }
  return { alerting, recording, warnings };
}

function readAlerts(rule: Readonly<Record<string, unknown>>, generatorUrl: string): Alert[] | undefined {
  if (rule.health === 'unknown') return undefined;
  return listIn(rule.alerts ?? [], 'alerts').flatMap(
    (given) => readAlert(objectIn(given, 'alert'), generatorUrl) ?? [],
  );
}

/** As Prometheus tells it to Alertmanager, but for the address. */
function graphUrl({ url }: Endpoint, expression: string): string {
  return `${url}/graph?${new URLSearchParams({ 'g0.expr': expression, 'g0.tab': '1' })}`;
}

function readAlert(alert: Readonly<Record<string, unknown>>, generatorUrl: string): Alert | undefined {
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
export async function askPrometheus(
  endpoint: Endpoint,
  request: Parameters<typeof fetchJson>[1],
): Promise<Answer> {
  const { status, data, error, warnings } = objectIn(await fetchJson(endpoint, request), 'an envelope');
  if (status !== 'success')
    throw new SourceFailure(
      `answered with the status ${shorten(String(status), longestText)}: ${shorten(String(error), longestText)}`,
    );
  return {
    data,
    warnings: listIn(warnings ?? [], 'warnings')
      .slice(0, 10)
      .map((each) => shorten(String(each), longestText)),
  };
}
