import { type ResourceRecord, RosterError, removalRefusal, stationKey } from '@roster/contract';
import type { Head } from '@roster/engine';
import type { Discovery, Source, TieRule } from '../config/source.ts';
import type { Labels } from '../http/shape.ts';
import { SourceFailure } from '../http/source-failure.ts';
import type { SourceObserver, SourceStore } from '../port.ts';
import type { SourceReader } from '../reader/source-reader.ts';
import type { StationResources } from '../tie/station-resources.ts';
import type { TieIndex } from '../tie/tie-index.ts';
import { MissingTargets } from './missing-targets.ts';
import type { OwnResources } from './own-resources.ts';
import { type DiscoveryPlan, planDiscovery } from './plan-discovery.ts';
import { retireResources } from './retire-resources.ts';
import { type WantedResource, type WantedResources, wantedResources } from './wanted-resources.ts';

const recordsPerAdd = 1000;

/** Finds resources by their name. */
export const nameRule: TieRule = { labels: ['name'], to: ['name'], stripPort: false };

/** What is known of the targets of a source. */
export interface DiscoveryState {
  readonly targets: number;
  readonly wanted: WantedResources;
  readonly taken: readonly WantedResource[];
  /** How many more resources targets ask for than it may make. */
  readonly surplus: number;
  readonly missing: number;
  /** Why resources are not made, or not retired. */
  readonly refusal: string | undefined;
}

export interface TargetDiscoveryOptions {
  readonly source: Source;
  readonly discovery: Discovery;
  readonly store: SourceStore;
  readonly observer: SourceObserver;
  readonly reader: SourceReader;
  readonly resources: StationResources;
  /** Those of `resources` that this source discovered. */
  readonly own: OwnResources;
}

/** Makes resources of the targets of a Prometheus, and retires those whose targets are gone. */
export class TargetDiscovery {
  /** Undefined before the first answer. */
  state: DiscoveryState | undefined;
  /** Why the last question came to nothing. */
  error: string | undefined;
  readonly #options: TargetDiscoveryOptions;
  readonly #missing: MissingTargets;
  /** Whether others wrote to the station while the last answer was applied. */
  #isOutpaced = false;

  constructor(options: TargetDiscoveryOptions) {
    this.#options = options;
    const { source, store } = options;
    this.#missing = new MissingTargets({
      notes: store.notes,
      source: source.name,
      intervalMs: source.intervalMs,
    });
  }

  get #changedBy(): string {
    return `source:${this.#options.source.name}`;
  }

  /** How many resources of the station it has made. */
  get size(): number {
    return this.#options.own.byId.size;
  }

  /** What other nodes know, and this one knew before. */
  recall(): Promise<void> {
    return this.#missing.recall();
  }

  /** Asks for the targets. Undefined if they are not known, and then nothing may be retired. */
  async read(signal: AbortSignal): Promise<readonly Labels[] | undefined> {
    const { source, observer, reader } = this.#options;
    try {
      const targets = await reader.targets(source.endpoints[0]!, signal);
      if (signal.aborted) return undefined;
      this.error = undefined;
      return targets;
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      if (signal.aborted) return undefined;
      const message = `its targets could not be read: it ${error.message}`;
      if (message !== this.error) observer.discoveryStopped(source.name, message);
      this.error = message;
      return undefined;
    }
  }

  /** Writes what targets make of the station. Nobody else of this node may write to it meanwhile. */
  async apply(targets: readonly Labels[], signal: AbortSignal): Promise<void> {
    const { source, discovery, resources, own, observer } = this.#options;
    const readAtMs = Date.now();
    await resources.refresh();
    const { head } = resources;
    if (head === undefined) {
      this.error = 'there is no such station yet';
      return;
    }
    const wanted = await wantedResources(source.name, discovery, targets);
    const isTaken = takenIn(resources.index, own, tieOf(source, discovery));
    const plan = await planDiscovery(wanted.byId, { own: own.byId, isTaken }, discovery);
    // Else nothing would be written while others keep writing to the station.
    await this.#write([...plan.made, ...plan.changed], this.#isOutpaced ? undefined : head);
    this.#isOutpaced = false;
    await this.#missing.update(plan.missing, readAtMs);
    const due = this.#missing.missingFor(discovery.graceMs);
    const tooMany = this.#surplusRefusal(plan);
    const tooFew =
      due.length === 0 ? undefined : retirementRefusal(plan.missing.length, this.size, discovery);
    this.#tell(tooMany, tooFew);
    const retired = tooFew === undefined ? await this.#retire(due, signal) : 0;
    const refusals = [tooMany, tooFew].filter((each) => each !== undefined);
    this.state = {
      targets: targets.length,
      wanted,
      taken: plan.taken,
      surplus: plan.surplus,
      missing: plan.missing.length - retired,
      refusal: refusals.length === 0 ? undefined : refusals.join('; '),
    };
    await resources.refresh();
    const counts = { made: plan.made.length, changed: plan.changed.length, retired };
    if (counts.made + counts.changed + counts.retired > 0) observer.discovered(source.name, counts);
  }

  /** Notes why `apply` came to nothing; the next answer is applied again. */
  fail(error: unknown): void {
    this.#isOutpaced = error instanceof RosterError && error.code === 'revision_mismatch';
    if (this.#isOutpaced) return;
    const { source, observer } = this.#options;
    this.error = `resources could not be written: ${error instanceof RosterError ? error.message : 'internal error'}`;
    observer.failed(`the discovery of the source ${source.name}`, error);
  }

  async #write(records: readonly ResourceRecord[], head: Head | undefined): Promise<void> {
    if (records.length === 0) return;
    const { store, resources } = this.#options;
    const options = { ifRevision: head, changedBy: this.#changedBy };
    const batch = await store.openBatch(resources.address, options);
    try {
      for (let at = 0; at < records.length; at += recordsPerAdd) {
        const part = records.slice(at, at + recordsPerAdd);
        await batch.add(part.map((record, more) => ({ line: at + more + 1, record })));
      }
      await batch.commit();
    } finally {
      await batch.discard();
    }
    await resources.refresh();
  }

  /** What is new. The number of targets may change with every answer. */
  #tell(tooMany: string | undefined, tooFew: string | undefined): void {
    const { source, observer } = this.#options;
    const { surplus = 0, refusal = '' } = this.state ?? {};
    if (tooMany !== undefined && surplus === 0) observer.discoveryStopped(source.name, tooMany);
    if (tooFew !== undefined && !refusal.includes(tooFew)) observer.discoveryStopped(source.name, tooFew);
  }

  #surplusRefusal({ surplus }: DiscoveryPlan): string | undefined {
    const { maxResources } = this.#options.discovery;
    if (surplus === 0) return undefined;
    return (
      `${surplus} resources of its targets are not created: it may have ${maxResources} in all; if that is too few, ` +
      'raise max_resources in its discovery'
    );
  }

  /** Returns how many it removed. The rest follows with the next answer. */
  #retire(ids: readonly string[], signal: AbortSignal): Promise<number> {
    const { store, resources, own } = this.#options;
    const there = ids.filter((id) => own.byId.has(id));
    return retireResources(there, { store, resources, own, changedBy: this.#changedBy, signal });
  }
}

/** The guard of a replace, over what a source has discovered. Missing ones count before they are due. */
export function retirementRefusal(
  missing: number,
  discovered: number,
  { allowRemoval }: Discovery,
): string | undefined {
  if (removalRefusal(missing, discovered, allowRemoval) === undefined) return undefined;
  const bound = allowRemoval === 'half' ? 'half of them' : `the ${allowRemoval} allowed`;
  return (
    `nothing is retired: ${missing} of ${discovered} discovered resources no longer have a target, more than ` +
    `${bound}; if that is right, set allow_removal in its discovery`
  );
}

/** Whether somebody else has brought in what is wanted: by id, by name, or because its target is tied to it. */
export function takenIn(
  index: TieIndex,
  own: OwnResources,
  tie: readonly TieRule[],
): (wanted: WantedResource) => boolean {
  const isOthers = (labels: Labels, rules: readonly TieRule[]) => {
    const found = index.tie(labels, rules);
    const ids = 'resourceId' in found ? [found.resourceId] : (found.ambiguous ?? []);
    return ids.some((id) => !own.byId.has(id));
  };
  return ({ resourceId, name, target }) =>
    index.resources.has(resourceId) || isOthers({ name }, [nameRule]) || isOthers(target, tie);
}

/** The rules by which the source ties its alerts to the station. */
export function tieOf({ bindings }: Source, { station }: Discovery): readonly TieRule[] {
  return bindings.find((binding) => stationKey(binding.station) === stationKey(station))!.tie;
}
