import { RosterError } from '@roster/contract';
import type { Alert } from '../alert.ts';
import { labelsIn, listIn, objectIn, textIn, timeIn, webUrlIn } from '../http/shape.ts';
import { SourceFailure } from '../http/source-failure.ts';
import { fingerprintOf } from '../prometheus/fingerprint.ts';

/** What Alertmanager sends to a webhook. */
export interface Notification {
  readonly firing: readonly Alert[];
  readonly resolved: readonly ResolvedAlert[];
  /** There are more alerts in the group than were sent. */
  readonly isTruncated: boolean;
}

interface ResolvedAlert extends Pick<Alert, 'fingerprint' | 'labels'> {
  readonly endedAtMs: number;
}

/** Throws `invalid_body`. */
export function readNotification(body: unknown): Notification {
  try {
    const { alerts, truncatedAlerts } = objectIn(body, 'the body must be an object');
    const listed = listIn(alerts, 'alerts must be a list').map((given) => objectIn(given, 'alert'));
    const withStatus = (status: string) => listed.filter((alert) => alert.status === status);
    const resolved = withStatus('resolved');
    const firing = withStatus('firing');
    if (resolved.length + firing.length < listed.length)
      throw new SourceFailure('the status of an alert must be firing or resolved');
    return {
      firing: firing.map(readFiring),
      resolved: resolved.map((alert) => ({
        ...identify(alert),
        endedAtMs: timeIn(alert.endsAt, 'endsAt'),
      })),
      isTruncated: typeof truncatedAlerts === 'number' && truncatedAlerts > 0,
    };
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    throw new RosterError('invalid_body', `this is not a notification of Alertmanager: ${error.message}`);
  }
}

function readFiring(alert: Readonly<Record<string, unknown>>): Alert {
  return {
    ...identify(alert),
    state: 'firing',
    annotations: labelsIn(alert.annotations, 'annotations'),
    sinceMs: timeIn(alert.startsAt, 'startsAt'),
    generatorUrl: webUrlIn(alert.generatorURL),
    silences: [],
    inhibitedBy: [],
  };
}

function identify(alert: Readonly<Record<string, unknown>>): Pick<Alert, 'fingerprint' | 'labels'> {
  const labels = labelsIn(alert.labels, 'labels');
  const { fingerprint } = alert;
  return {
    labels,
    fingerprint: fingerprint === undefined ? fingerprintOf(labels) : textIn(fingerprint, 'fingerprint'),
  };
}
