import type { Engine, EngineObserver } from '@roster/engine';
import { Counter, type Registry } from 'prom-client';
import { Distributions } from './distributions.ts';
import { withinTime } from './inventory-metrics.ts';
import { gaugesIn } from './scraped-gauge.ts';

/** Counts what an engine does. Damage is logged instead. */
export function createEngineObserver(registry: Registry): Omit<EngineObserver, 'stationDamaged'> {
  const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
  const waits = new Distributions(registry, {
    name: 'roster_freshness_wait_seconds',
    help: 'How long reads waited until the index had the newest revision. Those that did not wait are not counted.',
    bounds,
  }).add({});
  const builds = new Distributions<'from'>(registry, {
    name: 'roster_index_build_duration_seconds',
    help: 'How long it took to bring the index of a station up to date, from the whole station, a saved snapshot, changes or, after its last record, an import.',
    bounds,
  });
  const buildsFrom = {
    whole: builds.add({ from: 'whole' }),
    saved: builds.add({ from: 'saved' }),
    changes: builds.add({ from: 'changes' }),
    import: builds.add({ from: 'import' }),
  };
  const evictions = new Counter({
    name: 'roster_index_evictions_total',
    help: 'Stations that were dropped from memory to make room.',
    registers: [registry],
  });
  return {
    readWaited: (ms) => waits.observe(ms / 1000),
    snapshotBuilt: (from, ms) => buildsFrom[from].observe(ms / 1000),
    stationEvicted: () => evictions.inc(),
  };
}

/** What an engine holds, and how far it is behind its store. */
export function registerIndexMetrics(registry: Registry, engine: Engine, limitBytes: number): void {
  const gauge = gaugesIn(registry);
  const size = () => engine.size();
  gauge('roster_index_stations', 'Stations in memory.', () => size().stations);
  gauge('roster_index_snapshots', 'Snapshots in memory, superseded ones included.', () => size().snapshots);
  gauge('roster_index_resources', 'Resources of the stations in memory.', () => size().resources);
  gauge('roster_index_size_bytes', 'What all snapshots take in memory, estimated.', () => size().bytes);
  gauge(
    'roster_index_limit_bytes',
    'What the newest snapshots may take before stations that were not read lately are dropped.',
    () => limitBytes,
  );
  gauge(
    'roster_index_revision_lag',
    'How many revisions the station in memory that is furthest behind lacks, of those that were read. Absent while the store does not answer.',
    () => withinTime(engine.lag()).catch(() => undefined),
  );
}
