import type { Alert, Silence } from '../alert.ts';
import type { Endpoint } from '../config/source.ts';
import { type Asking, fetchJson } from '../http/fetch-json.ts';
import { labelsIn, listIn, objectIn, textIn, timeIn, webUrlIn } from '../http/shape.ts';

export interface AlertmanagerAnswer {
  readonly alerts: readonly Alert[];
  /** It does not keep its alerts: after a start it learns them from its senders. */
  readonly startedAtMs: number;
}

export async function readAlertmanager(endpoint: Endpoint, asking?: Asking): Promise<AlertmanagerAnswer> {
  const status = objectIn(await fetchJson(endpoint, { path: '/api/v2/status', ...asking }), 'status');
  const listed = listIn(await fetchJson(endpoint, { path: '/api/v2/alerts', ...asking }), 'alerts').map(
    (given) => objectIn(given, 'alert'),
  );
  const isSilenced = listed.some((alert) => idsIn(objectIn(alert.status, 'status').silencedBy).length > 0);
  const silences = isSilenced ? await readSilences(endpoint, asking) : new Map<string, Silence>();
  return {
    alerts: listed.map((alert) => readAlert(alert, silences)),
    startedAtMs: timeIn(status.uptime, 'uptime'),
  };
}

function readAlert(alert: Readonly<Record<string, unknown>>, silences: ReadonlyMap<string, Silence>): Alert {
  const { state, silencedBy, inhibitedBy } = objectIn(alert.status, 'status');
  return {
    fingerprint: textIn(alert.fingerprint, 'fingerprint'),
    state: state === 'suppressed' ? 'suppressed' : 'firing',
    labels: labelsIn(alert.labels, 'labels'),
    annotations: labelsIn(alert.annotations, 'annotations'),
    sinceMs: timeIn(alert.startsAt, 'startsAt'),
    generatorUrl: webUrlIn(alert.generatorURL),
    silences: idsIn(silencedBy).map((id) => silences.get(id) ?? unknownSilence(id)),
    inhibitedBy: idsIn(inhibitedBy),
  };
}

/** It ended between the two questions. */
function unknownSilence(id: string): Silence {
  return { id, createdBy: '', comment: '', untilMs: undefined };
}

async function readSilences(endpoint: Endpoint, asking?: Asking): Promise<Map<string, Silence>> {
  const listed = listIn(await fetchJson(endpoint, { path: '/api/v2/silences', ...asking }), 'silences');
  return new Map(
    listed.map((given) => {
      const { id, createdBy, comment, endsAt } = objectIn(given, 'silence');
      const silence: Silence = {
        id: textIn(id, 'id'),
        createdBy: textIn(createdBy, 'createdBy'),
        comment: textIn(comment, 'comment'),
        untilMs: timeIn(endsAt, 'endsAt'),
      };
      return [silence.id, silence];
    }),
  );
}

function idsIn(value: unknown): string[] {
  return listIn(value ?? [], 'ids').map((id) => textIn(id, 'ids'));
}
