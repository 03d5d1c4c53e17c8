import { type StationAddress, stationKey } from '@roster/contract';
import type { Source } from '../config/source.ts';
import type { Labels } from '../http/shape.ts';
import { readTargets } from '../prometheus/read-targets.ts';
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
  readonly resources: number;
  readonly alerts: TrialCounts;
  /** Of Prometheus, and so are rules. */
  readonly targets: TrialCounts;
  readonly rules: {
    readonly total: number;
    readonly cannot_tell: number;
    /** How many resources have at least one. */
    readonly covered_resources: number;
  };
  /** What is not tied or cannot be told, and why. */
  readonly examples: readonly TrialExample[];
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

/** Asks a source once and ties what it says, without writing anything. */
export async function trySource(
  source: Source,
  resourcesOf: (station: StationAddress) => AsyncIterable<TiedResource>,
): Promise<SourceTrial> {
  const stations = await loadStations(source, resourcesOf);
  const state = new SourceState(source);
  await state.read(new AbortController().signal);
  await state.tie(stations);
  const rules = await tryRules(state, stations);
  const targets = state.fault || source.kind !== 'prometheus' ? [] : await readTargets(source.endpoints[0]!);
  const untiedTargets = targets.filter((labels) => !isTied(source, stations, labels));
  const total = state.alerts?.length ?? 0;
  return {
    name: source.name,
    error: state.fault?.message ?? null,
    resources: stations.values().reduce((sum, { index }) => sum + index.resources.size, 0),
    alerts: { total, tied: total - state.unmatchedCount - state.ambiguousCount },
    targets: { total: targets.length, tied: targets.length - untiedTargets.length },
    rules: { total: state.ruleCount, cannot_tell: rules.untold.length, covered_resources: rules.covered },
    examples: [
      ...state.untied.map(
        ({ alert, candidates }): TrialExample => ({
          kind: 'alert',
          what: JSON.stringify(alert.labels),
          reason:
            candidates.length === 0 ? 'no resource matches' : `matches ${candidates.slice(0, 5).join(', ')}`,
        }),
      ),
      ...untiedTargets.map(
        (labels): TrialExample => ({
          kind: 'target',
          what: JSON.stringify(labels),
          reason: 'no resource matches, or several',
        }),
      ),
      ...rules.untold.map(({ name, reason }): TrialExample => ({ kind: 'rule', what: name, reason })),
    ].slice(0, maxExamples),
  };
}

type Stations = ReadonlyMap<string, { readonly index: TieIndex }>;

async function loadStations(
  { bindings }: Source,
  resourcesOf: (station: StationAddress) => AsyncIterable<TiedResource>,
): Promise<Stations> {
  const stations = new Map<string, { readonly index: TieIndex }>();
  for (const { station, tie } of bindings) {
    const index = new TieIndex(tie);
    for await (const resource of resourcesOf(station)) index.put(resource);
    stations.set(stationKey(station), { index });
  }
  return stations;
}

function isTied({ bindings }: Source, stations: Stations, labels: Labels): boolean {
  return bindings.some(
    ({ station, tie }) => 'resourceId' in stations.get(stationKey(station))!.index.tie(labels, tie),
  );
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
