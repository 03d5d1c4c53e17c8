import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stationPath } from '@roster/contract';
import { Engine, SavedSnapshots, type Store } from '@roster/engine';
import { createPostgresStore, createSqliteStore } from '@roster/store';
import type { Logger } from 'pino';
import { readAhead } from './read-ahead.ts';
import { loadSample } from './sample/load-sample.ts';
import type { RunningRoster } from './serve.ts';
import type { Settings } from './settings/table.ts';
import { version } from './version.ts';

const snapshotRetentionMs = 60_000;
const mebibyte = 2 ** 20;
const builtConsole = fileURLToPath(new URL('../../console/dist', import.meta.url));

/**
 * Opens the store, loads the sample where it is asked for, and listens. Modules that only serving takes are loaded
 * while the reader of the store starts and reads ahead.
 */
export async function startRoster(
  settings: Settings,
  logger: Logger,
  consoleDirectory = builtConsole,
): Promise<RunningRoster> {
  const reading = Promise.withResolvers<void>();
  const opened = await openStore(settings, reading.promise);
  try {
    if (settings.sample) await loadSample(opened);
    const { Metrics } = await import('./metrics/metrics.ts');
    const metrics = new Metrics();
    const store = metrics.store.measure(opened);
    const memoryBudgetBytes = settings.indexMemoryMb * mebibyte;
    const saved = settings.database.url ? undefined : savedSnapshots(settings.data, logger);
    const observer = metrics.engine;
    const engine = new Engine(store, { memoryBudgetBytes, snapshotRetentionMs, observer, saved });
    const { maxStations } = settings.metrics;
    metrics.observe({ store, engine, indexLimitBytes: memoryBudgetBytes, maxStations });
    // Of many nodes on one database each would read what others are asked for.
    if (saved) {
      void readAhead({ store, engine, saved, maxBytes: memoryBudgetBytes / 2, logger }).then(reading.resolve);
    }
    const { serve } = await import('./serve.ts');
    return await serve({ settings, logger, metrics, store, engine, consoleDirectory });
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function openStore(
  { database: { url, pool }, data: directory }: Settings,
  reading: Promise<void>,
): Promise<Store> {
  return url ? createPostgresStore({ url, connections: pool }) : createSqliteStore({ directory, reading });
}

function savedSnapshots(data: string, logger: Logger): SavedSnapshots {
  return new SavedSnapshots({
    directory: path.join(data, 'snapshots'),
    writtenBy: version,
    onUnreadable: (address, error) =>
      logger.warn(
        { station: stationPath(address), err: error },
        'a saved snapshot cannot be read, so the station is read from the database',
      ),
  });
}
