import { type Alert, type AlertState, alertStates } from '../alert.ts';
import type { Source } from '../config/source.ts';
import { LabelIndex } from './label-index.ts';

export interface AlertOfSource {
  readonly source: string;
  readonly kind: Source['kind'];
  readonly alert: Alert;
}

/** An alert, and all sources that tell it. */
export interface CombinedAlert extends Alert {
  readonly sources: readonly string[];
}

interface Combination {
  /** Every Prometheus of the station answers, so an alert that none has and no Alertmanager tells is over. */
  readonly knowsFiring: boolean;
}

/**
 * Combines what several sources say of a resource. Where both have an alert, Alertmanager decides whether it is
 * suppressed, and since when it fires. A Prometheus that has just started forgets what fired: such an alert is pending
 * anew, so what Alertmanager says of it counts. The worst comes first, then the longest.
 */
export function combineAlerts(
  given: readonly AlertOfSource[],
  { knowsFiring }: Combination,
): CombinedAlert[] {
  const isOver = (alert: Alert) => alert.isKept === true && knowsFiring;
  const managed = given.filter(({ kind }) => kind === 'alertmanager').map(toCombined);
  const index = new LabelIndex(managed);
  const combined: CombinedAlert[] = [];
  const used = new Set<CombinedAlert>();
  for (const each of given) {
    if (each.kind === 'alertmanager') continue;
    const alert = toCombined(each);
    // Alertmanager adds the external labels of Prometheus.
    const same = index.having(alert.labels);
    for (const other of same) used.add(other);
    const fires =
      alert.state === 'firing' ||
      isSuppressed(same) ||
      same.some((other) => other.state === 'firing' && !isOver(other));
    combined.push(same.length > 0 && fires ? withManaged(alert, same) : alert);
  }
  const others = managed.filter((alert) => !used.has(alert) && !isOver(alert));
  return mergeEqual([...combined, ...others]).sort((a, b) => rank(a) - rank(b) || a.sinceMs - b.sinceMs);
}

/** The worst state, and since when. */
export function worstOf(alerts: readonly Alert[]): { state: AlertState; sinceMs: number } | undefined {
  for (const state of alertStates) {
    const inState = alerts.filter((alert) => alert.state === state);
    if (inState.length === 0) continue;
    return { state, sinceMs: firstOf(inState) };
  }
  return undefined;
}

function firstOf(alerts: readonly Alert[]): number {
  return alerts.reduce((first, { sinceMs }) => Math.min(first, sinceMs), Number.POSITIVE_INFINITY);
}

function toCombined({ alert, source }: AlertOfSource): CombinedAlert {
  return { ...alert, sources: [source] };
}

/** Whether every Alertmanager that has it says so. */
function isSuppressed(same: readonly Alert[]): boolean {
  return same.every(({ state }) => state === 'suppressed');
}

/**
 * The time of Prometheus includes that of pending, and begins anew with its restart. Alertmanager knows where people
 * reach Prometheus.
 */
function withManaged(alert: CombinedAlert, same: readonly CombinedAlert[]): CombinedAlert {
  return {
    ...alert,
    state: isSuppressed(same) ? 'suppressed' : 'firing',
    sinceMs: firstOf(same),
    generatorUrl:
      same.find(({ generatorUrl }) => generatorUrl !== undefined)?.generatorUrl ?? alert.generatorUrl,
    silences: same.flatMap(({ silences }) => silences),
    inhibitedBy: same.flatMap(({ inhibitedBy }) => inhibitedBy),
    sources: [...alert.sources, ...same.flatMap(({ sources }) => sources)],
  };
}

/** Two Prometheus servers with the same rules tell the same alerts. The worse state counts, and the earlier time. */
function mergeEqual(alerts: readonly CombinedAlert[]): CombinedAlert[] {
  const byFingerprint = new Map<string, CombinedAlert>();
  for (const alert of alerts) {
    const other = byFingerprint.get(alert.fingerprint);
    if (other === undefined) byFingerprint.set(alert.fingerprint, alert);
    else {
      const [worse, better] = rank(alert) < rank(other) ? [alert, other] : [other, alert];
      byFingerprint.set(alert.fingerprint, {
        ...worse,
        sinceMs: firstOf([worse, better]),
        sources: [...new Set([...worse.sources, ...better.sources])],
      });
    }
  }
  return [...byFingerprint.values()];
}

function rank({ state }: Alert): number {
  return alertStates.indexOf(state);
}
