import { stationKey } from '@roster/contract';
import { backgroundSlicer } from '../background-slicer.ts';
import type { Binding } from '../config/source.ts';
import type { Labels } from '../http/shape.ts';
import type { AlertingRule } from '../prometheus/read-rules.ts';
import type { TieIndex } from '../tie/tie-index.ts';
import type { SourceState } from './source-state.ts';

/** How many alerting rules watch each resource of a station. */
export interface RuleCounts {
  readonly counts: ReadonlyMap<string, number>;
  /** Some rules cannot be told, so the true counts may be higher. */
  readonly isLowerBound: boolean;
}

/** A rule of a source that cannot be told, and why. */
export interface UntoldRule {
  readonly name: string;
  readonly reason: string;
}

/** Counts the rules of a station's Prometheus sources, anew only when something has changed. */
export class RuleCounter {
  readonly #station: string;
  readonly #states: readonly SourceState[];
  #last: (RuleCounts & { readonly version: string }) | undefined;
  /** By the name of the source. */
  untold: ReadonlyMap<string, readonly UntoldRule[]> = new Map();

  constructor(station: string, states: readonly SourceState[]) {
    this.#station = station;
    this.#states = states.filter(({ coverage }) => coverage !== undefined);
  }

  /** Undefined if no source of the station has rules. */
  async count(index: TieIndex): Promise<RuleCounts | undefined> {
    if (this.#states.length === 0) return undefined;
    const version = [
      index.generation,
      ...this.#states.map(({ coverage, ruleCount }) => `${coverage!.version} ${ruleCount}`),
    ].join();
    if (this.#last?.version !== version) this.#last = { ...(await this.#countAnew(index)), version };
    return this.#last;
  }

  async #countAnew(index: TieIndex): Promise<RuleCounts> {
    const counts = new Map<string, number>();
    const count = (ids: Iterable<string>) => {
      for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
    };
    const repeated = repeatedRules(this.#states);
    const byRule = new Map<string, Set<string>>();
    const untold = new Map<string, UntoldRule[]>();
    const slicer = backgroundSlicer();
    for (const state of this.#states) {
      const binding = state.source.bindings.find(({ station }) => stationKey(station) === this.#station)!;
      const reasons: UntoldRule[] = [];
      if (state.ruleCount === undefined)
        reasons.push({ name: '', reason: 'the rules have not been read yet' });
      for (const each of state.coverage!.coverage(finderIn(index, binding))) {
        if (slicer.isDue) await slicer.pause();
        const key = keyOf(each.rule);
        if ('cannotTell' in each) reasons.push({ name: each.rule.name, reason: each.cannotTell });
        else if (!repeated.has(key)) count(each.ids);
        else {
          const ids = byRule.getOrInsertComputed(key, () => new Set<string>());
          for (const id of each.ids) ids.add(id);
        }
      }
      untold.set(state.source.name, reasons);
    }
    this.untold = untold;
    for (const ids of byRule.values()) {
      if (slicer.isDue) await slicer.pause();
      count(ids);
    }
    return { counts, isLowerBound: [...untold.values()].some(({ length }) => length > 0) };
  }
}

/** Two servers with the same rules count once. Only for these the resources of a rule have to be kept. */
function repeatedRules(states: readonly SourceState[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { coverage } of states) {
    for (const key of coverage!.alertingRules.map(keyOf)) (seen.has(key) ? repeated : seen).add(key);
  }
  return repeated;
}

function keyOf({ name, expression, labels }: AlertingRule): string {
  return JSON.stringify([name, expression, labels]);
}

function finderIn(index: TieIndex, { tie }: Binding): (labels: Labels) => readonly string[] {
  return (labels) => {
    const found = index.tie(labels, tie);
    return 'resourceId' in found ? [found.resourceId] : [];
  };
}
