import type { Alert } from '../alert.ts';
import type { Endpoint, Source } from '../config/source.ts';
import { SourceFailure } from '../http/source-failure.ts';
import { graphUrl, type Rules } from '../prometheus/read-rules.ts';
import type { SourceReader } from '../reader/source-reader.ts';

/** What a source says at one time. */
export interface Reading {
  readonly alerts: readonly Alert[];
  /** Of Prometheus. */
  readonly rules: Rules | undefined;
  readonly warnings: readonly string[];
}

/** Prometheus repeats an alert to Alertmanager at least every minute. */
const learningMs = 90_000;

/** What a source had last. A server that has just started does not know its alerts yet. */
export interface LastReading {
  readonly alerts: readonly Alert[];
  readonly readAtMs: number;
  /** A Prometheus that sends to this Alertmanager may be down: alerts that it does not repeat are not over. */
  readonly isSenderDown: () => boolean;
}

interface Asking {
  readonly reader: SourceReader;
  readonly signal: AbortSignal;
}

export async function readSource(
  { kind, endpoints }: Source,
  before: LastReading,
  { reader, signal }: Asking,
): Promise<Reading> {
  if (kind === 'prometheus') return readPrometheus(endpoints[0]!, before.alerts, { reader, signal });
  const failures: string[] = [];
  for (const endpoint of endpoints) {
    try {
      const { alerts, startedAtMs } = await reader.alertmanager(endpoint, signal);
      const kept = keptAfterStart(alerts, before, startedAtMs);
      const warnings = failures.map((failure) => `another member of the cluster ${failure}`);
      return { alerts: [...alerts, ...kept], rules: undefined, warnings };
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      failures.push(error.message);
    }
  }
  throw new SourceFailure(failures[0]!);
}

function keptAfterStart(alerts: readonly Alert[], before: LastReading, startedAtMs: number): Alert[] {
  // Its clock may be ahead.
  const isLearning = Math.abs(Date.now() - startedAtMs) <= learningMs;
  const isSenderDown = before.isSenderDown();
  if (!isLearning && !isSenderDown) return [];
  const known = new Set(alerts.map(({ fingerprint }) => fingerprint));
  const isFromBefore = before.readAtMs < startedAtMs || isSenderDown;
  return before.alerts
    .filter(({ fingerprint, isKept }) => (isFromBefore || isKept === true) && !known.has(fingerprint))
    .map((alert) => ({ ...alert, isKept: true }));
}

async function readPrometheus(
  endpoint: Endpoint,
  before: readonly Alert[],
  { reader, signal }: Asking,
): Promise<Reading> {
  const rules = await reader.rules(endpoint, signal);
  const told = rules.alerting.flatMap(({ alerts }) => alerts ?? []);
  const fingerprints = new Set(told.map(({ fingerprint }) => fingerprint));
  const keyOf = (name: string, url: string | undefined) => `${name}\n${url}`;
  const unknown = new Set(
    rules.alerting
      .filter(({ alerts }) => alerts === undefined)
      .map(({ name, expression }) => keyOf(name, graphUrl(endpoint, expression))),
  );
  // With warnings, the answer may lack something.
  const isPartial = rules.warnings.length > 0;
  const kept = before.filter(
    ({ labels, generatorUrl, fingerprint }) =>
      (isPartial || unknown.has(keyOf(labels.alertname ?? '', generatorUrl))) &&
      !fingerprints.has(fingerprint),
  );
  return { alerts: [...told, ...kept], rules, warnings: rules.warnings };
}
