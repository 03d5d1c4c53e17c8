import {
  parseStationPath,
  type StationAddress,
  shorten,
  stationPath,
  type WireTypes,
} from '@roster/contract';
import type { Store } from '@roster/engine';
import type { TargetDiscovery } from '../discovery/target-discovery.ts';
import type { Labels } from '../http/shape.ts';
import type { UntoldRule } from './count-rules.ts';
import type { SourceState, UntiedAlert } from './source-state.ts';

const maxUntoldRules = 20;
const maxListedJobs = 100;
const maxListedTargets = 20;
const maxCandidates = 10;
const longestText = 200;

/** A source as `GET /roster/v1/sources` shows it. */
export type SourceStatus = WireTypes['Source'];

/** An alert that is not tied, as `GET /roster/v1/sources/{name}/unmatched` shows it. */
export interface UnmatchedView {
  readonly reason: 'unmatched' | 'ambiguous';
  readonly labels: Readonly<Record<string, string>>;
  readonly candidates: readonly string[];
}

interface SourceParts {
  readonly untold: readonly UntoldRule[];
  readonly discovery: TargetDiscovery | undefined;
  /** Those of its stations that do not exist. */
  readonly missingStations: readonly StationAddress[];
}

export function viewSource(
  state: SourceState,
  { untold, discovery, missingStations }: SourceParts,
): SourceStatus {
  const { source, fault, readAtMs, unmatchedCount: unmatched, ambiguousCount: ambiguous } = state;
  const total = state.alerts?.length ?? 0;
  return {
    name: source.name,
    kind: source.kind,
    urls: source.endpoints.map(({ url }) => url),
    stations: source.bindings.map(({ station }) => stationPath(station)),
    interval_seconds: source.intervalMs / 1000,
    missing_stations: missingStations.map(stationPath),
    health: healthOf(state, missingStations),
    last_read: timeOf(readAtMs),
    down_since: timeOf(fault?.sinceMs),
    error: fault?.message ?? null,
    warnings: [...state.warnings],
    read_ms: state.durationMs,
    alerts: { total, tied: total - unmatched - ambiguous, unmatched, ambiguous },
    rules:
      state.ruleCount === undefined
        ? null
        : { total: state.ruleCount, unresolved: untold.length, examples: untold.slice(0, maxUntoldRules) },
    discovery: discovery === undefined ? null : viewDiscovery(discovery),
  };
}

/** Stations that were missing when the source was last asked may exist by now. */
export async function withStations(status: SourceStatus, store: Pick<Store, 'head'>): Promise<SourceStatus> {
  const missing: string[] = [];
  for (const path of status.missing_stations) {
    if ((await store.head(parseStationPath(path)!)) === undefined) missing.push(path);
  }
  const isFound = status.health === 'no_station' && missing.length === 0;
  return { ...status, missing_stations: missing, health: isFound ? 'up' : status.health };
}

function healthOf(
  { fault, readAtMs }: SourceState,
  missingStations: readonly StationAddress[],
): SourceStatus['health'] {
  if (fault !== undefined) return 'down';
  if (readAtMs === undefined) return 'unknown';
  return missingStations.length === 0 ? 'up' : 'no_station';
}

function viewDiscovery({ state, error, size }: TargetDiscovery): NonNullable<SourceStatus['discovery']> {
  const unmapped = [...(state?.wanted.unmapped ?? [])].sort((a, b) => b[1] - a[1]);
  const unusable = state?.wanted.unusable ?? [];
  return {
    targets: state?.targets ?? 0,
    resources: size,
    taken: state?.taken.length ?? 0,
    unmapped: unmapped.reduce((sum, [, targets]) => sum + targets, 0),
    unmapped_jobs: unmapped
      .slice(0, maxListedJobs)
      .map(([job, targets]) => ({ job: shorten(job, longestText), targets })),
    unusable: unusable.length,
    examples: unusable
      .slice(0, maxListedTargets)
      .map(({ target, reason }) => ({ labels: shortLabels(target), reason: shorten(reason, longestText) })),
    surplus: state?.surplus ?? 0,
    missing: state?.missing ?? 0,
    refusal: state?.refusal ?? null,
    error: error ?? null,
  };
}

export function viewUntied({ alert, candidates }: UntiedAlert): UnmatchedView {
  return {
    reason: candidates.length === 0 ? 'unmatched' : 'ambiguous',
    labels: alert.labels,
    candidates: candidates.slice(0, maxCandidates),
  };
}

function shortLabels(labels: Labels): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [name, shorten(value, longestText)]),
  );
}

function timeOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
