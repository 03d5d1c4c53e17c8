import { RosterError } from '@roster/contract';
import type { Batch, NoteStore, Store, TokenStore, TrendStore, ViewStore, WriteResult } from '@roster/engine';
import { Counter, type Registry } from 'prom-client';
import { type Distribution, Distributions } from './distributions.ts';

/** How long a store takes, how often it fails, and how much is written. */
export class StoreMetrics {
  readonly #durations: Distributions<'operation'>;
  readonly #failures: Counter<'operation'>;
  readonly #records: Counter;
  readonly #changes: Counter<'change'>;
  readonly #byOperation = new Map<string, Distribution>();
  #isTimingHead = false;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#durations = new Distributions(registry, {
      name: 'roster_store_operation_duration_seconds',
      help: 'How long the store took, by operation. Answers from memory are not counted; concurrent queries for heads count as one.',
      bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    });
    this.#failures = new Counter({
      name: 'roster_store_failures_total',
      help: 'Store operations that failed. Refusals, such as a revision mismatch, do not count.',
      labelNames: ['operation'],
      registers,
    });
    this.#records = new Counter({
      name: 'roster_import_records_total',
      help: 'Records that were read from bodies and handed to the store, those of dry runs included.',
      registers,
    });
    this.#changes = new Counter({
      name: 'roster_resource_changes_total',
      help: 'Resources that writes on this node have changed, by kind of change.',
      labelNames: ['change'],
      registers,
    });
    for (const change of ['created', 'updated', 'removed']) this.#changes.inc({ change }, 0);
  }

  /** The same store, measured. */
  measure(store: Store): Store {
    return {
      head: (address) => this.#timeOneHead(() => store.head(address)),
      station: (address) => this.#time('station', () => store.station(address)),
      stations: (query) => this.#time('stations', () => store.stations(query)),
      allStations: () => this.#time('allStations', () => store.allStations()),
      catalog: () => this.#time('catalog', () => store.catalog()),
      knownCatalog: () => store.knownCatalog(),
      tokens: this.#measureTokens(store.tokens),
      views: this.#measureViews(store.views),
      notes: this.#measureNotes(store.notes),
      trends: this.#measureTrends(store.trends),
      createStation: (address) => this.#time('createStation', () => store.createStation(address)),
      deleteStation: (address, condition) =>
        this.#time('deleteStation', () => store.deleteStation(address, condition)),
      openBatch: async (address, options) =>
        this.#measureBatch(await this.#time('openBatch', () => store.openBatch(address, options))),
      removeResource: async (address, resourceId, options) =>
        this.#count(
          await this.#time('removeResource', () => store.removeResource(address, resourceId, options)),
        ),
      putTypes: (types, condition) => this.#time('putTypes', () => store.putTypes(types, condition)),
      deleteType: (key, condition) => this.#time('deleteType', () => store.deleteType(key, condition)),
      feed: (address, since, part) => this.#time('changes', () => store.feed(address, since, part)),
      readParts: (addresses, part) => this.#time('parts', () => store.readParts(addresses, part)),
      history: (address, query) => this.#time('history', () => store.history(address, query)),
      resource: (address, resourceId) => this.#time('resource', () => store.resource(address, resourceId)),
      digest: (address) => this.#time('digest', () => store.digest(address)),
      compactHistory: (keepMs) => this.#time('compact', () => store.compactHistory(keepMs)),
      onBeforeVisible: (hook, isFollowed) => store.onBeforeVisible(hook, isFollowed),
      onStationArriving: (listener) => store.onStationArriving(listener),
      onHeadMoved: (listener) => store.onHeadMoved(listener),
      onLost: (listener) => store.onLost(listener),
      close: () => store.close(),
    };
  }

  #measureTokens(tokens: TokenStore): TokenStore {
    return {
      list: () => this.#time('listTokens', () => tokens.list()),
      add: (token) => this.#time('addToken', () => tokens.add(token)),
      addFirst: (token) => this.#time('addFirstToken', () => tokens.addFirst(token)),
      remove: (id, options) => this.#time('removeToken', () => tokens.remove(id, options)),
      recordUses: (uses) => this.#time('recordTokenUses', () => tokens.recordUses(uses)),
    };
  }

  #measureViews(views: ViewStore): ViewStore {
    return {
      list: (owners) => this.#time('listViews', () => views.list(owners)),
      get: (owner, name) => this.#time('getView', () => views.get(owner, name)),
      put: (view, condition) => this.#time('putView', () => views.put(view, condition)),
      remove: (owner, name, condition) =>
        this.#time('removeView', () => views.remove(owner, name, condition)),
    };
  }

  #measureNotes(notes: NoteStore): NoteStore {
    return {
      isShared: notes.isShared,
      versions: (prefix) => this.#time('noteVersions', () => notes.versions(prefix)),
      read: (key) => this.#time('readNote', () => notes.read(key)),
      write: (key, body, ifVersion) => this.#time('writeNote', () => notes.write(key, body, ifVersion)),
      remove: (keys) => this.#time('removeNotes', () => notes.remove(keys)),
    };
  }

  #measureTrends(trends: TrendStore): TrendStore {
    return {
      sample: (atMs, apartMs) => this.#time('sampleTrends', () => trends.sample(atMs, apartMs)),
      read: (address, fromMs, toMs) => this.#time('trends', () => trends.read(address, fromMs, toMs)),
      add: (address, hours) => this.#time('addTrends', () => trends.add(address, hours)),
      forget: (untilMs) => this.#time('forgetTrends', () => trends.forget(untilMs)),
    };
  }

  #measureBatch(batch: Batch): Batch {
    return {
      station: batch.station,
      add: (records) => {
        this.#records.inc(records.length);
        return this.#time('addToBatch', () => batch.add(records));
      },
      validate: () => this.#time('validateBatch', () => batch.validate()),
      plan: (maxChanges) => this.#time('planBatch', () => batch.plan(maxChanges)),
      commit: async () => this.#count(await this.#time('commitBatch', () => batch.commit())),
      discard: () => batch.discard(),
    };
  }

  /**
   * Returns what the store returned, a promise or not. Only promises are timed: lists mostly get values at once, in less
   * time than it takes to read the clock.
   */
  #time<T>(operation: string, call: () => T, onEnd?: () => void): T {
    const result = call();
    if (result instanceof Promise) {
      const startedAt = performance.now();
      const end = () => {
        this.#durationsOf(operation).observe((performance.now() - startedAt) / 1000);
        onEnd?.();
      };
      result.then(end, (error) => {
        end();
        if (isFailure(error)) this.#failures.inc({ operation });
      });
    }
    return result;
  }

  /** One at a time: all lists ask for a head, and concurrent questions are answered together. */
  #timeOneHead<T>(call: () => T): T {
    if (this.#isTimingHead) return call();
    const result = this.#time('head', call, () => {
      this.#isTimingHead = false;
    });
    this.#isTimingHead = result instanceof Promise;
    return result;
  }

  #durationsOf(operation: string): Distribution {
    return this.#byOperation.getOrInsertComputed(operation, () => {
      // Starts at 0: `increase` would not see a counter that starts with its first failure.
      this.#failures.inc({ operation }, 0);
      return this.#durations.add({ operation });
    });
  }

  #count(result: WriteResult): WriteResult {
    const { created, updated, removed } = result;
    this.#changes.inc({ change: 'created' }, created);
    this.#changes.inc({ change: 'updated' }, updated);
    this.#changes.inc({ change: 'removed' }, removed);
    return result;
  }
}

function isFailure(error: unknown): boolean {
  if (!(error instanceof RosterError)) return true;
  return ['internal', 'store_unavailable', 'database_replaced', 'storage_full', 'data_damaged'].includes(
    error.code,
  );
}
