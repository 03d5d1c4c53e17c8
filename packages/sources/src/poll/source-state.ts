import { stationKey } from '@roster/contract';
import type { Alert, AlertState } from '../alert.ts';
import { backgroundSlicer } from '../background-slicer.ts';
import type { Source } from '../config/source.ts';
import { SourceFailure } from '../http/source-failure.ts';
import type { SourceReader } from '../reader/source-reader.ts';
import { RuleCoverage } from '../rules/rule-coverage.ts';
import type { StationResources } from '../tie/station-resources.ts';
import { readSource } from './read-source.ts';

const alertsPerClockCheck = 64;
const maxListed = 1000;

/** An alert that no resource of any station of its source is tied to. */
export interface UntiedAlert {
  readonly alert: Alert;
  /** The ids of resources that it may belong to; empty if there is none. */
  readonly candidates: readonly string[];
}

export interface SourceFault {
  readonly message: string;
  readonly sinceMs: number;
}

/** What is known of a source. */
export class SourceState {
  readonly source: Source;
  /** Undefined while it has never answered: then it is not known what is inactive. */
  alerts: readonly Alert[] | undefined;
  /** Those of the answer before the last one. */
  #alertsBefore: readonly Alert[] = [];
  /** When it was last asked with success. */
  readAtMs: number | undefined;
  durationMs = 0;
  fault: SourceFault | undefined;
  warnings: readonly string[] = [];
  readonly coverage: RuleCoverage | undefined;
  /** Undefined until its rules were read: unlike alerts, they are not kept over a restart. */
  ruleCount: number | undefined;
  /** By the key of the station and the id of the resource. */
  tied: ReadonlyMap<string, ReadonlyMap<string, readonly Alert[]>> = new Map();
  /** At most a thousand of them. */
  untied: readonly UntiedAlert[] = [];
  unmatchedCount = 0;
  ambiguousCount = 0;
  readonly #reader: SourceReader;
  #lastTie: { readonly alerts: readonly Alert[]; readonly generations: string } | undefined;

  constructor(source: Source, reader: SourceReader) {
    this.source = source;
    this.#reader = reader;
    const labels = new Set(source.bindings.flatMap(({ tie }) => tie.flatMap((rule) => rule.labels)));
    if (source.kind === 'prometheus')
      this.coverage = new RuleCoverage(source.endpoints[0]!, [...labels], reader);
  }

  /** Asks the source; a failure leaves what is known as it is. */
  async read(signal: AbortSignal, isSenderDown = () => false): Promise<void> {
    const startedAtMs = Date.now();
    const before = { alerts: this.alerts ?? [], readAtMs: this.readAtMs ?? 0, isSenderDown };
    try {
      const { alerts, rules, warnings } = await readSource(this.source, before, {
        reader: this.#reader,
        signal,
      });
      this.#alertsBefore = this.alerts ?? [];
      this.alerts = alerts;
      this.warnings = warnings;
      this.readAtMs = startedAtMs;
      this.fault = undefined;
      // An answer with warnings may lack rules.
      if (rules !== undefined && (warnings.length === 0 || this.ruleCount === undefined)) {
        await this.coverage?.setRules(rules);
        this.ruleCount = rules.alerting.length;
      }
    } catch (error) {
      if (signal.aborted) return;
      const message = error instanceof SourceFailure ? error.message : 'could not be read: internal error';
      this.fault = { message, sinceMs: this.fault?.sinceMs ?? startedAtMs };
      if (!(error instanceof SourceFailure)) throw error;
    } finally {
      this.durationMs = Date.now() - startedAtMs;
    }
  }

  /**
   * Whether the last answer has news of which the other kind of source may know more: alerts that began to fire may be
   * suppressed, and suppressed ones that are gone may be over.
   */
  get hasNews(): boolean {
    const [before, after] = [this.#alertsBefore, this.alerts ?? []];
    return this.source.kind === 'prometheus'
      ? hasMore(after, before, 'firing')
      : hasMore(before, after, 'suppressed');
  }

  /** Ties the alerts to the resources of all its stations; a new `tied` unless nothing has changed. */
  async tie(stations: ReadonlyMap<string, Pick<StationResources, 'index'>>): Promise<void> {
    const alerts = this.alerts ?? [];
    const generations = this.source.bindings
      .map(({ station }) => stations.get(stationKey(station))!.index.generation)
      .join();
    const last = this.#lastTie;
    if (last !== undefined && last.generations === generations && isSameList(last.alerts, alerts)) return;
    const tied = new Map<string, Map<string, Alert[]>>();
    const untied: UntiedAlert[] = [];
    const counts = { unmatched: 0, ambiguous: 0 };
    const slicer = backgroundSlicer();
    for (const [at, alert] of alerts.entries()) {
      if (at % alertsPerClockCheck === 0 && slicer.isDue) await slicer.pause();
      const candidates = this.#tieOne(alert, stations, tied);
      if (candidates === undefined) continue;
      counts[candidates.length === 0 ? 'unmatched' : 'ambiguous']++;
      if (untied.length < maxListed) untied.push({ alert, candidates });
    }
    this.tied = tied;
    this.untied = untied;
    this.unmatchedCount = counts.unmatched;
    this.ambiguousCount = counts.ambiguous;
    this.#lastTie = { alerts, generations };
  }

  /** Undefined if it is tied, else the resources it may belong to. */
  #tieOne(
    alert: Alert,
    stations: ReadonlyMap<string, Pick<StationResources, 'index'>>,
    tied: Map<string, Map<string, Alert[]>>,
  ): readonly string[] | undefined {
    let isTied = false;
    const candidates: string[] = [];
    for (const { station, tie } of this.source.bindings) {
      const key = stationKey(station);
      const found = stations.get(key)!.index.tie(alert.labels, tie);
      if ('resourceId' in found) {
        isTied = true;
        const inStation = tied.getOrInsertComputed(key, () => new Map<string, Alert[]>());
        inStation.getOrInsertComputed(found.resourceId, (): Alert[] => []).push(alert);
      } else candidates.push(...(found.ambiguous ?? []));
    }
    return isTied ? undefined : candidates;
  }
}

/** Whether `some` has an alert in this state that `others` lacks. A pending alert that begins to fire is one, too. */
function hasMore(some: readonly Alert[], others: readonly Alert[], state: AlertState): boolean {
  const known = new Set(
    others
      .filter((alert) => state !== 'firing' || alert.state === state)
      .map(({ fingerprint }) => fingerprint),
  );
  return some.some((alert) => alert.state === state && !known.has(alert.fingerprint));
}

/** Alerts that have not changed are the same objects: see `ThreadReader`. */
function isSameList(one: readonly Alert[], other: readonly Alert[]): boolean {
  return one.length === other.length && one.every((alert, at) => alert === other[at]);
}
