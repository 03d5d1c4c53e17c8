import { stationPath } from '@roster/contract';
import { type Engine, type Store, TimeSlicer } from '@roster/engine';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics/metrics.ts';

const tidyEveryMs = 5_000;
const checkEveryMs = 600_000;
const compactEveryMs = 3_600_000;

export interface MaintenanceOptions {
  readonly engine: Engine;
  readonly store: Store;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** How long changes are remembered. */
  readonly historyMs: number;
  readonly saveEveryMs: number;
}

/** Starts what has to happen from time to time; returns how to stop it. */
export function startMaintenance(options: MaintenanceOptions): () => void {
  const { engine, store, logger, historyMs, saveEveryMs } = options;
  const compact = () => store.compact(historyMs);
  const stopping = new AbortController();
  const save = createSaver(options, stopping.signal);
  const timers = [
    setInterval(() => engine.tidy(), tidyEveryMs),
    setInterval(guarded(logger, 'consistency check', createChecker(options)), checkEveryMs),
    setInterval(guarded(logger, 'compaction', compact), compactEveryMs),
    setInterval(guarded(logger, 'saving snapshots', save), saveEveryMs),
  ];
  for (const timer of timers) timer.unref();
  return () => {
    for (const timer of timers) clearInterval(timer);
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
        'index differed from the store and is built anew',
      );
    }
  };
}

/** Nobody waits for the result, so readers shall not notice the work: a tenth of the time is enough. */
function unnoticed(): TimeSlicer {
  return new TimeSlicer({ sliceMs: 1, restMs: 10 });
}

/** Tells of a failure once, until it is another one: it may go on for days, and nothing depends on it. */
function createSaver({ engine, logger }: MaintenanceOptions, signal: AbortSignal): () => Promise<void> {
  let lastFailure: string | undefined;
  return async () => {
    try {
      await engine.save({ slicer: unnoticed(), signal });
      lastFailure = undefined;
    } catch (error) {
      const failure = String(error);
      if (failure !== lastFailure) logger.warn({ err: error }, 'snapshots could not be saved');
      lastFailure = failure;
    }
  };
}

function guarded(logger: Logger, what: string, work: () => Promise<void>): () => void {
  let isRunning = false;
  return () => {
    if (isRunning) return;
    isRunning = true;
    work()
      .catch((error) => logger.error({ err: error }, `${what} failed`))
      .finally(() => {
        isRunning = false;
      });
  };
}
