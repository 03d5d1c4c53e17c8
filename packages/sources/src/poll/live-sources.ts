import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { RosterError, type StationAddress, stationKey, stationPath } from '@roster/contract';
import { type Notification, readNotification } from '../alertmanager/read-webhook.ts';
import type { Source } from '../config/source.ts';
import { OwnResources } from '../discovery/own-resources.ts';
import { TargetDiscovery } from '../discovery/target-discovery.ts';
import type { SourceObserver, SourceStore } from '../port.ts';
import { ThreadReader } from '../reader/thread-reader.ts';
import type { StationResources } from '../tie/station-resources.ts';
import { type AlertOfSource, type CombinedAlert, combineAlerts } from './combine-alerts.ts';
import { Lease } from './lease.ts';
import { Poller } from './poller.ts';
import { repeat } from './repeat.ts';
import { SourceNotes } from './source-notes.ts';
import { SourceState } from './source-state.ts';
import { StationSync } from './station-sync.ts';
import {
  type SourceStatus,
  type UnmatchedView,
  viewSource,
  viewUntied,
  withStations,
} from './view-source.ts';
import { WebhookIntake } from './webhook-intake.ts';

const renewEveryMs = 2_000;
const lookIntoInboxEveryMs = 500;

export interface LiveSourcesOptions {
  readonly sources: readonly Source[];
  readonly store: SourceStore;
  readonly observer: SourceObserver;
  /** News does not wait longer for what another source says of it. */
  readonly patienceMs: number;
}

/** What the sources of a station decide. */
export interface OwnedFields {
  readonly sources: readonly string[];
  /** Only Prometheus knows rules. */
  readonly hasRuleCounts: boolean;
}

/**
 * Keeps stations up to date with their sources. Of several nodes on one store, one polls all sources, because the
 * state of a resource depends on all sources of its station.
 */
export class LiveSources {
  readonly #sources: readonly Source[];
  readonly #store: SourceStore;
  readonly #observer: SourceObserver;
  readonly #patienceMs: number;
  readonly #states: readonly SourceState[];
  readonly #stations: ReadonlyMap<string, StationSync>;
  /** By the name of the source. */
  readonly #discoveries: ReadonlyMap<string, TargetDiscovery>;
  readonly #webhooks: WebhookIntake;
  /** Webhooks that are being taken in. */
  readonly #takingIn = new Set<Promise<void>>();
  readonly #notes: SourceNotes;
  readonly #reader = new ThreadReader();
  readonly #lease: Lease;
  readonly #stops: (() => Promise<void>)[] = [];
  /** The stations that were said to be missing. */
  readonly #toldMissing = new Set<string>();
  #pollers: Poller[] = [];
  #changing: Promise<void> = Promise.resolve();

  constructor({ sources, store, observer, patienceMs }: LiveSourcesOptions) {
    this.#sources = sources;
    this.#store = store;
    this.#observer = observer;
    this.#patienceMs = patienceMs;
    this.#states = sources.map((source) => new SourceState(source, this.#reader));
    this.#notes = new SourceNotes(store.notes);
    this.#webhooks = new WebhookIntake(store.notes);
    const { alerts: webhook } = this.#webhooks;
    this.#lease = new Lease(store.notes, 'lease', randomUUID());
    const bindings = sources.flatMap((source) => source.bindings);
    const addresses = new Map(bindings.map(({ station }) => [stationKey(station), station]));
    const discoverers = sources.flatMap((source) => {
      const { name, discovery } = source;
      return discovery === undefined ? [] : [{ source, discovery, own: new OwnResources(name) }];
    });
    this.#stations = new Map(
      [...addresses].map(([key, address]) => {
        const here = discoverers.filter(({ discovery }) => stationKey(discovery.station) === key);
        const discovered = here.map(({ own }) => own);
        const states = this.#statesOf(key);
        return [key, new StationSync({ address, states, store, webhook, discovered })];
      }),
    );
    this.#discoveries = new Map(
      discoverers.map((each) => {
        const { resources } = this.#stations.get(stationKey(each.discovery.station))!;
        return [
          each.source.name,
          new TargetDiscovery({ ...each, store, observer, resources, reader: this.#reader }),
        ];
      }),
    );
  }

  /** Begins to poll, if no other node does. */
  start(): void {
    if (this.#sources.length === 0) return;
    const every = (ms: number, task: () => Promise<void>) =>
      this.#stops.push(repeat(ms, () => this.#guarded('polling sources', task)));
    every(renewEveryMs, () => this.#renew());
    every(lookIntoInboxEveryMs, () => this.#takeFromOthers());
    void this.#guarded('polling sources', () => this.#renew());
  }

  async stop(): Promise<void> {
    await Promise.all(this.#stops.map((stop) => stop()));
    await this.#changing;
    await this.#stopPolling();
    await Promise.all(this.#takingIn);
    await this.#guarded('releasing the lease', () => this.#lease.release());
  }

  /** Whether this node polls. */
  get isPolling(): boolean {
    return this.#pollers.length > 0;
  }

  /** In the order of the configuration. */
  statuses(): Promise<SourceStatus[]> {
    return Promise.all(
      this.#states.map(async (state) => {
        const status = this.isPolling ? this.#statusOf(state) : await this.#notedStatusOf(state);
        return withStations(status, this.#store);
      }),
    );
  }

  /** As the node that polls left it. */
  async #notedStatusOf(state: SourceState): Promise<SourceStatus> {
    return {
      ...this.#statusOf(state),
      ...(await this.#notes.status(state.source.name)),
      // As configured here.
      stations: state.source.bindings.map(({ station }) => stationPath(station)),
    };
  }

  /** The alerts of a source that no resource is tied to; undefined without such a source. */
  async unmatched(name: string): Promise<readonly UnmatchedView[] | undefined> {
    const state = this.#states.find(({ source }) => source.name === name);
    if (state === undefined || this.isPolling) return state?.untied.map(viewUntied);
    return (await this.#notes.reading(name))?.untied ?? [];
  }

  /** The alerts of a resource, as its sources last told them. */
  async alertsOf(address: StationAddress, resourceId: string): Promise<CombinedAlert[]> {
    const key = stationKey(address);
    const sync = this.#stations.get(key);
    if (sync === undefined) return [];
    if (this.isPolling) return sync.alertsOf(resourceId);
    const given: AlertOfSource[] = [];
    for (const { source } of this.#statesOf(key)) {
      const reading = await this.#notes.reading(source.name);
      const ties = reading !== undefined && Object.hasOwn(reading.tied, key) ? reading.tied[key]! : {};
      for (const at of Object.hasOwn(ties, resourceId) ? ties[resourceId]! : []) {
        given.push({ source: source.name, kind: source.kind, alert: reading!.alerts[at]! });
      }
    }
    return combineAlerts(given, { knowsFiring: await this.#knowsFiring(key) });
  }

  /** As the node that polls left it. */
  async #knowsFiring(station: string): Promise<boolean> {
    const senders = this.#statesOf(station).filter(({ source }) => source.kind === 'prometheus');
    const statuses = await Promise.all(senders.map(({ source }) => this.#notes.status(source.name)));
    return senders.length > 0 && statuses.every((status) => status?.health === 'up');
  }

  /** Undefined if the station has no source. */
  ownedFields(address: StationAddress): OwnedFields | undefined {
    const states = this.#statesOf(stationKey(address));
    if (states.length === 0) return undefined;
    return {
      sources: states.map(({ source }) => source.name),
      hasRuleCounts: states.some(({ source }) => source.kind === 'prometheus'),
    };
  }

  /** Takes a notification of Alertmanager. Resolves when it is durable. Throws `source_missing` and `overloaded`. */
  async receive(address: StationAddress, body: unknown): Promise<{ firing: number; resolved: number }> {
    const notification = readNotification(body);
    const key = stationKey(address);
    if (!this.#stations.has(key)) {
      throw new RosterError('source_missing', 'no configured source covers this station');
    }
    const id = await this.#webhooks.keep(address, notification);
    if (this.isPolling) this.#takeIn(key, id, notification);
    if (notification.isTruncated) this.#wake(key);
    return { firing: notification.firing.length, resolved: notification.resolved.length };
  }

  #takeIn(station: string, id: string, notification: Notification): void {
    const superseded = this.#webhooks.alerts.add(station, id, notification);
    const takingIn = this.#guarded('taking in a webhook', async () => {
      await this.#sync([station]);
      await this.#webhooks.remove(superseded);
    });
    this.#takingIn.add(takingIn);
    void takingIn.finally(() => this.#takingIn.delete(takingIn));
  }

  /** One change at a time between polling and not polling. */
  #renew(): Promise<void> {
    this.#changing = this.#changing.then(async () => {
      try {
        await this.#lease.renew();
      } catch (error) {
        this.#observer.failed('renewing the lease', error);
      }
      if (this.#lease.isHeld && !this.isPolling) await this.#startPolling();
      if (!this.#lease.isHeld && this.isPolling) await this.#stopPolling();
    });
    return this.#changing;
  }

  async #startPolling(): Promise<void> {
    try {
      await this.#recall();
    } catch (error) {
      // Without the last known alerts, what is not asked yet may become calm. It is tried again.
      this.#observer.failed('reading what is known of sources', error);
      return;
    }
    this.#pollers = this.#states.map(
      (state) =>
        new Poller(state, {
          observer: this.#observer,
          isSenderDown: () => this.#isSenderDown(state),
          afterRead: (signal) => this.#afterRead(state, signal),
        }),
    );
    for (const poller of this.#pollers) poller.start();
  }

  async #stopPolling(): Promise<void> {
    const pollers = this.#pollers;
    this.#pollers = [];
    await Promise.all(pollers.map((poller) => poller.stop()));
    await this.#reader.close();
  }

  /** What was last known counts until a source has been asked. */
  async #recall(): Promise<void> {
    for (const state of this.#states) {
      const reading = await this.#notes.reading(state.source.name);
      const status = await this.#notes.status(state.source.name);
      if (status?.down_since) {
        state.fault = { message: status.error ?? '', sinceMs: Date.parse(status.down_since) };
      }
      if (reading === undefined) continue;
      state.alerts = reading.alerts;
      state.readAtMs = reading.readAtMs;
    }
    for (const discovery of this.#discoveries.values()) await discovery.recall();
    for (const { resources } of this.#stations.values()) await resources.refresh();
    for (const state of this.#states) await state.tie(this.#resources());
    // Before the first questions, whose answers know better.
    await this.#readWebhooks();
  }

  #resources(): Map<string, StationResources> {
    return new Map([...this.#stations].map(([key, { resources }]) => [key, resources]));
  }

  /** Ties, writes and notes what a source said. Also after a failure, which others must hear of. */
  async #afterRead(state: SourceState, signal: AbortSignal): Promise<void> {
    const keys = state.source.bindings.map(({ station }) => stationKey(station));
    if (state.fault !== undefined) {
      await this.#notes.write(state, this.#statusOf(state));
      // What it said before counts for stations and resources that are new.
      return this.#tieAndSync(state, keys);
    }
    await this.#discover(state, signal);
    try {
      await this.#tieAndSync(state, keys);
    } finally {
      // Also what made it fail.
      await this.#forgetWebhooks(keys);
    }
    await this.#notes.write(state, this.#statusOf(state));
    // Another source may have had it asked again meanwhile.
    if (state.fault !== undefined || state.coverage === undefined) return;
    const { version } = state.coverage;
    await state.coverage.refresh(signal);
    if (state.coverage.version === version || signal.aborted) return;
    await this.#sync(keys);
    await this.#notes.write(state, this.#statusOf(state));
  }

  /** New resources are tied right afterwards. */
  async #discover({ source }: SourceState, signal: AbortSignal): Promise<void> {
    const discovery = this.#discoveries.get(source.name);
    const targets = await discovery?.read(signal);
    if (targets === undefined) return;
    const sync = this.#stations.get(stationKey(source.discovery!.station))!;
    try {
      await sync.inTurn(() => discovery!.apply(targets, signal));
    } catch (error) {
      // States do not wait for it.
      discovery!.fail(error);
    }
  }

  async #tieAndSync(state: SourceState, keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#refresh(this.#stations.get(key)!.resources);
    const others = await this.#askOthers(state, keys);
    for (const each of [state, ...others]) await each.tie(this.#resources());
    await this.#sync(keys);
  }

  /**
   * Prometheus and Alertmanager hear of a change at the same time, but are asked at different times. So that no alert
   * seems to fire that is suppressed, the one is asked again when the other has news. Returns those asked.
   */
  async #askOthers(state: SourceState, keys: readonly string[]): Promise<SourceState[]> {
    const sharing = new Set(keys.flatMap((key) => this.#statesOf(key)));
    const others = this.#pollers.filter(
      ({ state: other }) =>
        sharing.has(other) &&
        other.source.kind !== state.source.kind &&
        other.fault === undefined &&
        (other.readAtMs ?? 0) < state.readAtMs!,
    );
    if (others.length === 0 || state.fault !== undefined || !state.hasNews) return [];
    const asked = Promise.allSettled(others.map((poller) => poller.ask()));
    await Promise.race([asked, sleep(this.#patienceMs, undefined, { ref: false })]);
    return others.map((poller) => poller.state);
  }

  async #refresh(resources: StationResources): Promise<void> {
    const { address } = resources;
    await resources.refresh();
    const key = stationKey(address);
    if (resources.isMissing && !this.#toldMissing.has(key)) this.#observer.stationMissing(address);
    if (resources.isMissing) this.#toldMissing.add(key);
    else this.#toldMissing.delete(key);
  }

  async #sync(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const sync = this.#stations.get(key)!;
      const changed = await sync.sync();
      this.#observer.synced(sync.resources.address, changed);
    }
  }

  /** A reading of every source that began after a webhook knows better. */
  async #forgetWebhooks(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const times = this.#statesOf(key).map(({ readAtMs, fault }) => (fault ? 0 : (readAtMs ?? 0)));
      if (await this.#webhooks.forget(key, Math.min(...times))) await this.#sync([key]);
    }
  }

  /** Other nodes leave in the store what they received. */
  async #takeFromOthers(): Promise<void> {
    if (!this.isPolling) return;
    const keys = await this.#readWebhooks();
    if (keys.size > 0) await this.#sync([...keys]);
  }

  /** Returns the stations that have news. */
  async #readWebhooks(): Promise<Set<string>> {
    const news = await this.#webhooks.takeNews((station) => this.#stations.has(station));
    for (const { station, isTruncated } of news) if (isTruncated) this.#wake(station);
    return new Set(news.map(({ station }) => station));
  }

  #wake(station: string): void {
    const states = this.#statesOf(station);
    for (const poller of this.#pollers) if (states.includes(poller.state)) poller.wake();
  }

  #isSenderDown({ source }: SourceState): boolean {
    const senders = source.bindings.flatMap(({ station }) => this.#statesOf(stationKey(station)));
    return senders.some((state) => state.source.kind === 'prometheus' && state.fault !== undefined);
  }

  #statesOf(station: string): SourceState[] {
    return this.#states.filter(({ source }) =>
      source.bindings.some((binding) => stationKey(binding.station) === station),
    );
  }

  #statusOf(state: SourceState): SourceStatus {
    const untold = [...this.#stations.values()].flatMap(
      ({ rules }) => rules.untold.get(state.source.name) ?? [],
    );
    const distinct = new Map(untold.map((rule) => [JSON.stringify(rule), rule]));
    return viewSource(state, {
      untold: [...distinct.values()],
      discovery: this.#discoveries.get(state.source.name),
      missingStations: state.source.bindings
        .map(({ station }) => station)
        .filter((station) => this.#stations.get(stationKey(station))!.resources.isMissing),
    });
  }

  async #guarded(what: string, task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.#observer.failed(what, error);
    }
  }
}
