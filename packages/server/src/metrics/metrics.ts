import type { ConsistencyResult, Engine, EngineObserver, Store } from '@roster/engine';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { version } from '../version.ts';
import { createEngineObserver, registerIndexMetrics } from './index-metrics.ts';
import { registerDamageMetrics, registerInventoryMetrics } from './inventory-metrics.ts';
import { RequestMetrics } from './request-metrics.ts';
import { gaugesIn } from './scraped-gauge.ts';
import { StoreMetrics } from './store-metrics.ts';

/** Gauges with the names of counters. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

export interface ObservedParts {
  readonly store: Store;
  readonly engine: Engine;
  readonly indexLimitBytes: number;
  /** How many stations have metrics of their own. */
  readonly maxStations: number;
}

/** All metrics of one server, in a registry of its own. */
export class Metrics {
  readonly registry = new Registry();
  readonly gauge = gaugesIn(this.registry);
  readonly requests = new RequestMetrics(this.registry);
  readonly store = new StoreMetrics(this.registry);
  readonly engine: Omit<EngineObserver, 'stationDamaged'> = createEngineObserver(this.registry);
  readonly importedBytes = this.#counter(
    'roster_import_bytes_total',
    'Bytes of the bodies of writes, as they were sent.',
  );
  readonly droppedWatchers = this.#counter(
    'roster_watchers_dropped_total',
    'Streams of changes that were closed because their client took nothing for a minute.',
  );
  readonly #checks: Counter<'outcome'>;

  constructor() {
    const registers = [this.registry];
    this.#checks = new Counter({
      name: 'roster_consistency_checks_total',
      help: 'Comparisons of the index of a station with the store. A check is skipped if the station changes too fast.',
      labelNames: ['outcome'],
      registers,
    });
    for (const outcome of ['consistent', 'inconsistent', 'skipped', 'failed'])
      this.#checks.inc({ outcome }, 0);
    const labels = { version, node: process.version };
    new Gauge({
      name: 'roster_build_info',
      help: 'Always 1; the labels tell the versions of Roster and Node.js.',
      labelNames: Object.keys(labels),
      registers,
    }).set(labels, 1);
    collectDefaultMetrics({ register: this.registry });
    for (const name of misnamed) this.registry.removeSingleMetric(name);
  }

  /** Adds the metrics of parts that are created later. */
  observe({ store, engine, indexLimitBytes, maxStations }: ObservedParts): void {
    registerIndexMetrics(this.registry, engine, indexLimitBytes);
    registerDamageMetrics(this.registry, engine, store);
    registerInventoryMetrics(this.registry, store, maxStations);
  }

  /** A counter whose value is kept elsewhere. */
  counter(name: string, help: string, read: () => number): void {
    const collect = function (this: Counter) {
      this.reset();
      this.inc(read());
    };
    new Counter({ name, help, registers: [this.registry], collect });
  }

  countCheck(outcome: ConsistencyResult['outcome'] | 'failed'): void {
    this.#checks.inc({ outcome });
  }

  #counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: [this.registry] });
  }
}
