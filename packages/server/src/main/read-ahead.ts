import { RosterError } from '@roster/contract';
import { type Engine, largeStationSize, type SavedSnapshots, type Store } from '@roster/engine';
import type { Logger } from 'pino';

/** On the safe side of what a resource takes in memory. */
const bytesPerResource = 1_024;

export interface ReadAheadOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly saved: SavedSnapshots;
  /** What the stations that are read ahead may take together. */
  readonly maxBytes: number;
  readonly logger: Logger;
}

/**
 * Reads large stations into memory one after the other, the largest first, for whose first list somebody would wait
 * otherwise. One that does not fit is left out. Never rejects: whoever reads a station meets what is wrong with it.
 */
export async function readAhead({ store, engine, saved, maxBytes, logger }: ReadAheadOptions): Promise<void> {
  const onFailure = (error: unknown) => {
    const isDamage = error instanceof RosterError && error.code === 'data_damaged';
    logger[isDamage ? 'error' : 'debug']({ err: error }, 'a station was not read ahead');
  };
  try {
    const { stations } = await store.stations({ offset: 0, limit: Number.MAX_SAFE_INTEGER });
    const large = stations.filter(({ counts }) => counts.resources >= largeStationSize);
    const tidied = saved.keepOnly(large.map(({ address }) => address)).catch(onFailure);
    for (const { address, counts } of large.sort((a, b) => b.counts.resources - a.counts.resources)) {
      const expectedBytes = engine.size().bytes + counts.resources * bytesPerResource;
      if (expectedBytes <= maxBytes) await engine.load(address).catch(onFailure);
    }
    await tidied;
  } catch (error) {
    onFailure(error);
  }
}
