import { RosterError } from '@roster/contract';
import { type Engine, largeStationSize, type SavedSnapshots, type Store } from '@roster/engine';
import type { Logger } from 'pino';

interface ReadAheadOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly saved: SavedSnapshots;
  readonly logger: Logger;
}

/**
 * Reads large stations into memory, the largest first, so that nobody waits for their first list. Leaves out those that
 * do not fit. Never rejects: the first reader of a station gets its error.
 */
export async function readAhead({ store, engine, saved, logger }: ReadAheadOptions): Promise<void> {
  const onFailure = (error: unknown) => {
    const isDamage = error instanceof RosterError && error.code === 'data_damaged';
    logger[isDamage ? 'error' : 'debug']({ err: error }, 'a station was not read ahead');
  };
  try {
    const { stations } = await store.stations({ offset: 0, limit: Number.MAX_SAFE_INTEGER });
    const large = stations.filter(({ counts }) => counts.resources >= largeStationSize);
    const tidied = saved.keepOnly(large.map(({ address }) => address)).catch(onFailure);
    for (const station of large.sort((a, b) => b.counts.resources - a.counts.resources)) {
      await engine.loadAhead(station).catch(onFailure);
    }
    await tidied;
  } catch (error) {
    onFailure(error);
  }
}
