import { RosterError, type StationAddress, stationKey } from '@roster/contract';
import type { Head, StagedRecord, Store } from '@roster/engine';
import { resourceStates } from '../alert.ts';
import { backgroundSlicer } from '../background-slicer.ts';
import type { TieRule } from '../config/source.ts';
import type { OwnResources } from '../discovery/own-resources.ts';
import { nameRule } from '../discovery/target-discovery.ts';
import { StationResources } from '../tie/station-resources.ts';
import type { KnownResource } from '../tie/tie-index.ts';
import { type AlertOfSource, type CombinedAlert, combineAlerts, worstOf } from './combine-alerts.ts';
import { RuleCounter, type RuleCounts } from './count-rules.ts';
import type { SourceState } from './source-state.ts';
import type { WebhookAlerts } from './webhook-alerts.ts';

const maxAttempts = 5;
/** After this many, the write has no condition: else nothing would be written while others keep writing. */
const conditionalAttempts = 2;
const recordsPerAdd = 1000;
const resourcesPerClockCheck = 64;

export interface StationSyncOptions {
  readonly address: StationAddress;
  /** The sources of the station. */
  readonly states: readonly SourceState[];
  readonly store: Pick<Store, 'feed' | 'openBatch'>;
  readonly webhook: WebhookAlerts;
  /** What each source discovered there. */
  readonly discovered: readonly OwnResources[];
}

/** Writes what the sources say of a station, as one revision, and only what changed. */
export class StationSync {
  readonly resources: StationResources;
  readonly rules: RuleCounter;
  readonly #options: StationSyncOptions;
  readonly #tie: readonly TieRule[];
  #running: Promise<unknown> = Promise.resolve();
  /** What the states depended on when there was last nothing to write. */
  #settled: readonly unknown[] = [];

  constructor(options: StationSyncOptions) {
    const { address, states, store, discovered } = options;
    const key = stationKey(address);
    const bindings = states.flatMap(({ source }) => source.bindings);
    this.#tie = bindings.filter(({ station }) => stationKey(station) === key).flatMap(({ tie }) => tie);
    this.#options = options;
    this.resources = new StationResources({
      address,
      rules: discovered.length === 0 ? this.#tie : [...this.#tie, nameRule],
      store,
      followers: discovered,
    });
    this.rules = new RuleCounter(key, states);
  }

  /** Resolves to the number of changed resources. */
  sync(): Promise<number> {
    return this.inTurn(() => this.#sync());
  }

  /** Writes of a station follow each other. */
  inTurn<T>(write: () => Promise<T>): Promise<T> {
    const next = this.#running.catch(() => undefined).then(write);
    this.#running = next;
    return next;
  }

  /** The alerts of a resource by all sources together, worst first. */
  alertsOf(resourceId: string): CombinedAlert[] {
    const { states, webhook, address } = this.#options;
    const key = stationKey(address);
    const given = states.flatMap(({ source: { name, kind }, tied }) =>
      (tied.get(key)?.get(resourceId) ?? []).map((alert): AlertOfSource => ({ source: name, kind, alert })),
    );
    const senders = states.filter(({ source }) => source.kind === 'prometheus');
    const knowsFiring = senders.length > 0 && senders.every(({ fault }) => fault === undefined);
    return combineAlerts(webhook.apply(key, resourceId, given), { knowsFiring });
  }

  async #sync(): Promise<number> {
    const { address, webhook } = this.#options;
    for (let attempt = 1; ; attempt++) {
      await this.resources.refresh();
      const { head } = this.resources;
      if (head === undefined) return 0;
      webhook.tie(stationKey(address), this.resources.index, this.#tie);
      const counts = await this.rules.count(this.resources.index);
      const given = this.#given(head, counts);
      if (isSame(given, this.#settled)) return 0;
      const records = await this.#changes(counts);
      this.#settled = records.length === 0 ? given : [];
      if (records.length === 0) return 0;
      try {
        await this.#write(records, attempt <= conditionalAttempts ? head : undefined);
        return records.length;
      } catch (error) {
        if (!isOutpaced(error) || attempt === maxAttempts) throw error;
      }
    }
  }

  /**
   * On the condition that nobody has written since, because what is written depends on all that was read. Without it,
   * a resource that was just changed may keep a wrong state until the next sync.
   */
  async #write(records: readonly StagedRecord[], head: Head | undefined): Promise<void> {
    const { address, store, states } = this.#options;
    const changedBy = states.map(({ source }) => `source:${source.name}`).join(', ');
    const options = { mode: 'patch', ifRevision: head, changedBy } as const;
    const batch = await store.openBatch(address, options);
    try {
      for (let at = 0; at < records.length; at += recordsPerAdd) {
        await batch.add(records.slice(at, at + recordsPerAdd));
      }
      await batch.commit();
    } finally {
      await batch.discard();
    }
  }

  /** All that the states of the station depend on, but for what webhooks tell. */
  #given(head: Head, counts: RuleCounts | undefined): unknown[] {
    const { states, webhook, address } = this.#options;
    // Never the same as before.
    const news = webhook.countOf(stationKey(address)) === 0 ? undefined : {};
    const told = states.flatMap(({ tied, alerts, fault }) => [
      tied,
      alerts === undefined,
      fault === undefined,
    ]);
    return [head.revId, counts, news, ...told];
  }

  async #changes(counts: RuleCounts | undefined): Promise<StagedRecord[]> {
    // What is not known to be inactive must not become so.
    const mayCalm = this.#options.states.every(({ alerts }) => alerts !== undefined);
    const nowMs = Date.now();
    const records: StagedRecord[] = [];
    const slicer = backgroundSlicer();
    let count = 0;
    for (const resource of this.resources.index.resources.values()) {
      if (++count % resourcesPerClockCheck === 0 && slicer.isDue) await slicer.pause();
      const change = { ...this.#stateChange(resource, { mayCalm, nowMs }), ...countChange(resource, counts) };
      if (Object.keys(change).length === 0) continue;
      records.push({ line: records.length + 1, record: { resourceId: resource.resourceId, ...change } });
    }
    return records;
  }

  /** Most resources have none, and this is asked of all of them. */
  #hasAlerts(resourceId: string): boolean {
    const { states, webhook, address } = this.#options;
    const key = stationKey(address);
    return states.some(({ tied }) => tied.get(key)?.has(resourceId)) || webhook.concerns(key, resourceId);
  }

  /** Sources may differ on when a state began, and forget it: while it stays, so does its time. */
  #stateChange(
    resource: KnownResource,
    { mayCalm, nowMs }: { mayCalm: boolean; nowMs: number },
  ): { state?: string; stateSinceMs?: number } {
    const worst = this.#hasAlerts(resource.resourceId)
      ? worstOf(this.alertsOf(resource.resourceId))
      : undefined;
    const state = resourceStates[worst?.state ?? 'inactive'];
    if (resource.state === state || (!mayCalm && severity(state) < severity(resource.state))) return {};
    // The clock of a source may be ahead; then the state began when it was first seen.
    return worst === undefined || worst.sinceMs > nowMs ? { state } : { state, stateSinceMs: worst.sinceMs };
  }
}

/** Whether others have written since: a resource that is gone makes a patch invalid. */
function isOutpaced(error: unknown): boolean {
  return error instanceof RosterError && ['revision_mismatch', 'invalid_records'].includes(error.code);
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((each, at) => each === other[at]);
}

const bySeverity = [
  resourceStates.inactive,
  resourceStates.suppressed,
  resourceStates.pending,
  resourceStates.firing,
];

/** States that are not known here are the worst: they are left alone in doubt. */
function severity(state: string): number {
  return bySeverity.includes(state) ? bySeverity.indexOf(state) : bySeverity.length;
}

function countChange(resource: KnownResource, counts: RuleCounts | undefined): { alertRulesCount?: number } {
  if (counts === undefined) return {};
  const told = counts.counts.get(resource.resourceId) ?? 0;
  const count = counts.isLowerBound ? Math.max(told, resource.alertRulesCount) : told;
  return count === resource.alertRulesCount ? {} : { alertRulesCount: count };
}
