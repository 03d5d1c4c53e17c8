import { stationPath } from '@roster/contract';
import { type Engine, type Store, TimeSlicer } from '@roster/engine';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics/metrics.ts';
import { repeat } from '../node/repeat.ts';

const tidyEveryMs = 5_000;
const checkEveryMs = 600_000;
const compactEveryMs = 3_600_000;

export interface MaintenanceOptions {
  readonly engine: Engine;
  readonly store: Store;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** How long changes are kept. */
  readonly historyMs: number;
  readonly saveEveryMs: number;
  /** How long trends are kept. */
  readonly trendsMs: number;
  readonly sampleEveryMs: number;
}

/** Starts the periodic work; returns how to stop it. */
export function startMaintenance(options: MaintenanceOptions): () => void {
  const { engine, store, logger, historyMs, saveEveryMs, trendsMs, sampleEveryMs } = options;
  const stopping = new AbortController();
  const every = (ms: number, what: string, task: () => Promise<void>) =>
    repeat(ms, task, (error) => logger.error({ err: error }, `${what} failed`));
  const save = () => engine.save({ slicer: unnoticed(), signal: stopping.signal });
  const sample = () => store.trends.sample(Date.now(), sampleEveryMs / 2);
  const stops = [
    every(tidyEveryMs, 'tidying', async () => engine.tidy()),
    every(tidyEveryMs, 'compaction of the index', () => engine.compact(new TimeSlicer())),
    every(checkEveryMs, 'consistency check', createChecker(options)),
    every(compactEveryMs, 'compaction of the history', () => store.compactHistory(historyMs)),
    every(compactEveryMs, 'forgetting old trends', () => store.trends.forget(Date.now() - trendsMs)),
    every(saveEveryMs, 'saving snapshots', loggedOnce('snapshots could not be saved', save, logger)),
    every(sampleEveryMs, 'sampling trends', loggedOnce('trends could not be sampled', sample, logger)),
  ];
  return () => {
    for (const stop of stops) stop();
    stopping.abort();
  };
}

/** Checks one station in memory at a time, in turn. */
function createChecker({ engine, logger, metrics }: MaintenanceOptions): () => Promise<void> {
  let turn = 0;
  return async () => {
    const followed = engine.followed();
    const address = followed[turn++ % Math.max(1, followed.length)];
    if (address === undefined) return;
    const result = await engine.check(address, unnoticed()).catch((error) => {
      metrics.countCheck('failed');
      throw error;
    });
    metrics.countCheck(result.outcome);
    if (result.outcome === 'inconsistent') {
      logger.error(
        { station: stationPath(address), reason: result.reason },
        'index differed from the store and is being rebuilt',
      );
    }
  };
}

/** Nobody waits for the result: a tenth of the time is enough, and readers do not notice. */
function unnoticed(): TimeSlicer {
  return new TimeSlicer({ sliceMs: 1, restMs: 10 });
}

/** Logs a failure once, until it is a different one: it may last for days, and nothing depends on it. */
function loggedOnce(message: string, task: () => Promise<unknown>, logger: Logger): () => Promise<void> {
  let lastFailure: string | undefined;
  return async () => {
    try {
      await task();
      lastFailure = undefined;
    } catch (error) {
      const failure = String(error);
      if (failure !== lastFailure) logger.warn({ err: error }, message);
      lastFailure = failure;
    }
  };
}
