import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stationPath } from '@roster/contract';
import { Engine, type EngineObserver, SavedSnapshots, type Store } from '@roster/engine';
import { createPostgresStore, createSqliteStore } from '@roster/store';
import type { Logger } from 'pino';
import type { Settings } from '../settings/all-settings.ts';
import { version } from '../version.ts';
import { readAhead } from './read-ahead.ts';
import { loadSample } from './sample/load-sample.ts';
import type { RunningRoster } from './serve.ts';

const snapshotRetentionMs = 60_000;
const mebibyte = 2 ** 20;
const lostLines = 'Lines that could not be written to the log.';
const builtConsole = fileURLToPath(new URL('../../../console/dist', import.meta.url));

interface StartOptions {
  readonly consoleDirectory?: string | undefined;
  /** How many log lines were lost so far. */
  readonly lostLogLines?: () => number;
  /** How often the files of the certificate are looked at. */
  readonly lookAtCertificateMs?: number;
  /** How long the news of a source waits for what another says of it. */
  readonly sourcePatienceMs?: number;
}

/** Opens the store, loads the sample if asked to, and listens. Most modules are loaded while the store reads ahead. */
export async function startRoster(
  settings: Settings,
  logger: Logger,
  {
    consoleDirectory = builtConsole,
    lostLogLines = () => 0,
    lookAtCertificateMs = 2_000,
    sourcePatienceMs = 1_000,
  }: StartOptions = {},
): Promise<RunningRoster> {
  const reading = Promise.withResolvers<void>();
  const opened = await openStore(settings, logger, reading.promise);
  try {
    if (settings.sample) await loadSample(opened);
    const { Metrics } = await import('../metrics/metrics.ts');
    const metrics = new Metrics();
    metrics.counter('roster_log_lines_lost_total', lostLines, lostLogLines);
    const store = metrics.store.measure(opened);
    const memoryBudgetBytes = settings.indexMemoryMb * mebibyte;
    const saved = settings.database.url ? undefined : savedSnapshots(settings.data, logger);
    const stationDamaged: EngineObserver['stationDamaged'] = (address, error) =>
      logger.error({ station: stationPath(address), err: error }, 'a station is damaged and is not served');
    const observer = { ...metrics.engine, stationDamaged };
    if ((await store.catalog()).isDamaged) logger.error('the catalog of resource types is damaged');
    const engine = new Engine(store, { memoryBudgetBytes, snapshotRetentionMs, observer, saved });
    const { maxStations } = settings.metrics;
    metrics.observe({ store, engine, indexLimitBytes: memoryBudgetBytes, maxStations });
    // Only with SQLite: each of many nodes would read what others are asked for.
    if (saved) {
      void readAhead({ store, engine, saved, logger }).then(reading.resolve);
    }
    const { serve } = await import('./serve.ts');
    const given = { settings, consoleDirectory, lookAtCertificateMs, sourcePatienceMs };
    return await serve({ ...given, logger, metrics, store, engine });
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function openStore(
  { database: { url, pool }, data: directory }: Settings,
  logger: Logger,
  reading: Promise<void>,
): Promise<Store> {
  if (url) return createPostgresStore({ url, connections: pool });
  const onNewEpochs = (reason: string) =>
    logger.warn({ reason }, 'the database was restored or has lost writes: every station has a new epoch');
  return createSqliteStore({ directory, reading, onNewEpochs });
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
