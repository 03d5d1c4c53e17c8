import { noLabels, type StationAddress, stationKey, stationPath } from '@roster/contract';
import type { Source } from '../config/source.ts';
import { OwnResources } from '../discovery/own-resources.ts';
import { planDiscovery } from '../discovery/plan-discovery.ts';
import { nameRule, retirementRefusal, takenIn, tieOf } from '../discovery/target-discovery.ts';
import { wantedResources } from '../discovery/wanted-resources.ts';
import type { Labels } from '../http/shape.ts';
import { SourceFailure } from '../http/source-failure.ts';
import { directReader } from '../reader/source-reader.ts';
import { type TiedResource, TieIndex } from '../tie/tie-index.ts';
import { RuleCounter } from './count-rules.ts';
import { SourceState } from './source-state.ts';

const maxExamples = 10;
/** The first may find that some selectors must be read alone. */
const seriesRounds = 2;

export interface SourceTrial {
  readonly name: string;
  /** Null if it answered. */
  readonly error: string | null;
  /** Paths of its stations that do not exist. */
  readonly missing_stations: readonly string[];
  readonly resources: number;
  readonly alerts: TrialCounts;
  /** Null for an Alertmanager, which has neither targets nor rules. */
  readonly targets: TrialCounts | null;
  readonly rules: {
    readonly total: number;
    readonly unresolved: number;
    /** How many resources have at least one. */
    readonly covered_resources: number;
  } | null;
  /** Null without discovery. */
  readonly discovery: DiscoveryTrial | null;
  /** What is not tied, not even to what discovery would make, or cannot be told, and why. */
  readonly examples: readonly TrialExample[];
}

/** What discovery would do. */
interface DiscoveryTrial {
  readonly station: string;
  readonly made: TrialNames;
  readonly changed: TrialNames;
  /** How many more targets ask for than it may make in all. */
  readonly surplus: number;
  readonly max_resources: number;
  /** Those without a target, which are retired after the grace period. */
  readonly missing: TrialNames;
  /** Why they are not retired, if they are too many. */
  readonly refusal: string | null;
  readonly grace_seconds: number;
  /** Those that others have brought in. */
  readonly taken: TrialNames;
  readonly unmapped_jobs: readonly { readonly job: string; readonly targets: number }[];
  readonly unusable: readonly { readonly labels: Labels; readonly reason: string }[];
}

interface TrialNames {
  readonly total: number;
  /** The first of their names. */
  readonly names: readonly string[];
}

interface TrialCounts {
  readonly total: number;
  readonly tied: number;
}

interface TrialExample {
  readonly kind: 'alert' | 'target' | 'rule';
  readonly what: string;
  readonly reason: string;
}

/** The resources of a station; undefined if there is no such station. */
type ResourcesOf = (station: StationAddress) => Promise<AsyncIterable<TiedResource> | undefined>;

/** Asks a source once and ties what it says, without writing anything. */
export async function trySource(source: Source, resourcesOf: ResourcesOf): Promise<SourceTrial> {
  const stations = await loadStations(source, resourcesOf);
  const state = new SourceState(source, directReader);
  await state.read(new AbortController().signal);
  await state.tie(stations);
  const resources = stations.values().reduce((sum, { index }) => sum + index.resources.size, 0);
  const rules = await tryRules(state, stations);
  const isPrometheus = source.kind === 'prometheus';
  const { targets, failure } = state.fault || !isPrometheus ? noTargets : await tryTargets(source);
  const untiedTargets = targets.filter((labels) => !isTied(source, stations, labels));
  const discovery = state.fault || failure ? null : await tryDiscovery(source, stations, targets);
  const total = state.alerts?.length ?? 0;
  return {
    name: source.name,
    error: state.fault?.message ?? failure ?? null,
    missing_stations: source.bindings
      .filter(({ station }) => stations.get(stationKey(station))!.isMissing)
      .map(({ station }) => stationPath(station)),
    resources,
    alerts: { total, tied: total - state.unmatchedCount - state.ambiguousCount },
    targets: isPrometheus ? { total: targets.length, tied: targets.length - untiedTargets.length } : null,
    rules: isPrometheus
      ? {
          total: state.ruleCount ?? 0,
          unresolved: rules.untold.length,
          covered_resources: rules.covered,
        }
      : null,
    discovery,
    examples: [
      ...state.untied
        .filter(({ alert }) => !isTied(source, stations, alert.labels))
        .map(({ alert, candidates }) => untied('alert', alert.labels, candidates)),
      ...untiedTargets
        .filter((labels) => !isTied(source, stations, labels))
        .map((labels) => untied('target', labels, candidatesOf(source, stations, labels))),
      ...rules.untold.map(({ name, reason }): TrialExample => ({ kind: 'rule', what: name, reason })),
    ].slice(0, maxExamples),
  };
}

interface TriedTargets {
  readonly targets: readonly Labels[];
  /** Why they are not known. */
  readonly failure?: string;
}

const noTargets: TriedTargets = { targets: [] };

async function tryTargets({ endpoints }: Source): Promise<TriedTargets> {
  try {
    return { targets: await directReader.targets(endpoints[0]!) };
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    return { targets: [], failure: `its targets could not be read: it ${error.message}` };
  }
}

function untied(kind: 'alert' | 'target', labels: Labels, candidates: readonly string[]): TrialExample {
  const reason =
    candidates.length === 0 ? 'no resource matches' : `matches ${candidates.slice(0, 5).join(', ')}`;
  return { kind, what: JSON.stringify(labels), reason };
}

interface TrialStation {
  readonly index: TieIndex;
  /** What the source discovered there. */
  readonly own: OwnResources;
  readonly isMissing: boolean;
}

/** What a record leaves open of a resource that is made of it. */
const unknownResource = { displayName: '', labels: noLabels, state: '', stateSinceMs: 0, alertRulesCount: 0 };

type Stations = ReadonlyMap<string, TrialStation>;

async function loadStations({ name, bindings }: Source, resourcesOf: ResourcesOf): Promise<Stations> {
  const stations = new Map<string, TrialStation>();
  for (const { station, tie } of bindings) {
    const index = new TieIndex([...tie, nameRule]);
    const own = new OwnResources(name);
    const resources = await resourcesOf(station);
    for await (const resource of resources ?? []) {
      index.put(resource);
      own.put(resource);
    }
    stations.set(stationKey(station), { index, own, isMissing: resources === undefined });
  }
  return stations;
}

/** Afterwards, what it would make is in the station's index, and tied to its targets. */
async function tryDiscovery(
  source: Source,
  stations: Stations,
  targets: readonly Labels[],
): Promise<DiscoveryTrial | null> {
  const { name, discovery } = source;
  if (discovery === undefined) return null;
  const { index, own } = stations.get(stationKey(discovery.station))!;
  const wanted = await wantedResources(name, discovery, targets);
  const isTaken = takenIn(index, own, tieOf(source, discovery));
  const plan = await planDiscovery(wanted.byId, { own: own.byId, isTaken }, discovery);
  for (const made of plan.made) index.put({ ...unknownResource, ...made });
  const named = (names: readonly string[]) => ({
    total: names.length,
    names: names.toSorted().slice(0, maxExamples),
  });
  return {
    station: stationPath(discovery.station),
    made: named(plan.made.map((each) => each.name)),
    changed: named(plan.changed.map((each) => each.name)),
    surplus: plan.surplus,
    max_resources: discovery.maxResources,
    missing: named(plan.missing.map((id) => own.byId.get(id)!.name)),
    refusal: retirementRefusal(plan.missing.length, own.byId.size, discovery) ?? null,
    grace_seconds: discovery.graceMs / 1000,
    taken: named(plan.taken.map((each) => each.name)),
    unmapped_jobs: [...wanted.unmapped].map(([job, count]) => ({ job, targets: count })),
    unusable: wanted.unusable.slice(0, maxExamples).map(({ target, reason }) => ({ labels: target, reason })),
  };
}

function isTied({ bindings }: Source, stations: Stations, labels: Labels): boolean {
  return bindings.some(
    ({ station, tie }) => 'resourceId' in stations.get(stationKey(station))!.index.tie(labels, tie),
  );
}

function candidatesOf({ bindings }: Source, stations: Stations, labels: Labels): string[] {
  return bindings.flatMap(({ station, tie }) => {
    const found = stations.get(stationKey(station))!.index.tie(labels, tie);
    return 'resourceId' in found ? [found.resourceId] : (found.ambiguous ?? []);
  });
}

async function tryRules(state: SourceState, stations: Stations) {
  for (let round = 0; round < seriesRounds; round++) await state.coverage?.refresh();
  let covered = 0;
  const untold = new Map<string, { readonly name: string; readonly reason: string }>();
  for (const [station, { index }] of stations) {
    const counter = new RuleCounter(station, [state]);
    covered += (await counter.count(index))?.counts.size ?? 0;
    for (const rule of counter.untold.get(state.source.name) ?? []) untold.set(JSON.stringify(rule), rule);
  }
  return { covered, untold: [...untold.values()] };
}
