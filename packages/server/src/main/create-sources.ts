import { stationPath } from '@roster/contract';
import type { Store } from '@roster/engine';
import type { LiveSources, SourceObserver } from '@roster/sources';
import { readSources } from '@roster/sources/config';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics/metrics.ts';
import { registerSourceMetrics } from '../metrics/source-metrics.ts';

interface SourceParts {
  readonly store: Store;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly patienceMs: number;
}

/** The configured sources, not polled yet. Undefined if there are none, and then none of their code is loaded. */
export async function createSources(
  configured: readonly unknown[],
  { store, logger, metrics, patienceMs }: SourceParts,
): Promise<LiveSources | undefined> {
  const { sources } = readSources(configured);
  const live =
    sources.length === 0
      ? undefined
      : new (await import('@roster/sources')).LiveSources({
          sources,
          store,
          observer: createObserver(logger),
          patienceMs,
        });
  registerSourceMetrics(metrics.registry, live);
  return live;
}

function createObserver(logger: Logger): SourceObserver {
  return {
    sourceDown: (source, error) =>
      logger.warn({ source, error }, 'a source does not answer; its last known states stay'),
    sourceUp: (source) => logger.info({ source }, 'a source answers again'),
    stationMissing: (station) =>
      logger.warn({ station: stationPath(station) }, 'a station of the configured sources does not exist'),
    synced: (station, changed) => {
      if (changed > 0)
        logger.debug({ station: stationPath(station), changed }, 'states were taken from sources');
    },
    discovered: (source, counts) =>
      logger.info({ source, ...counts }, 'resources follow the targets of a source'),
    discoveryStopped: (source, reason) => logger.warn({ source, reason }, 'discovery is held back'),
    failed: (what, error) => logger.error({ err: error }, `${what} failed`),
  };
}
