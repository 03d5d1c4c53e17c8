import { stationPath } from '@roster/contract';
import type { Engine, Store } from '@roster/engine';
import type { Logger } from 'pino';

/** A station with fewer resources is read in less time than anybody notices. */
const fewestResources = 10_000;
/** On the safe side of what a resource takes in memory. */
const bytesPerResource = 1_024;

export interface ReadAheadOptions {
  readonly store: Store;
  readonly engine: Engine;
  /** What the stations that are read ahead may take together. */
  readonly maxBytes: number;
  readonly logger: Logger;
}

/**
 * Reads large stations into memory one after the other, the largest first, for whose first list somebody would wait
 * otherwise. Ends early when the store is closed.
 */
export async function readAhead({ store, engine, maxBytes, logger }: ReadAheadOptions): Promise<void> {
  const { stations } = await store.stations({ offset: 0, limit: Number.MAX_SAFE_INTEGER });
  const large = stations.filter(({ counts }) => counts.resources >= fewestResources);
  let bytes = 0;
  for (const { address, counts } of large.sort((a, b) => b.counts.resources - a.counts.resources)) {
    bytes += counts.resources * bytesPerResource;
    if (bytes > maxBytes) return;
    try {
      await engine.load(address);
    } catch (error) {
      logger.debug({ err: error, station: stationPath(address) }, 'was not read ahead');
    }
  }
}
