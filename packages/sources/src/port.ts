import type { StationAddress } from '@roster/contract';
import type { Store } from '@roster/engine';

/** What sources need of a store. */
export type SourceStore = Pick<Store, 'head' | 'feed' | 'openBatch' | 'removeResource' | 'notes'>;

interface DiscoveryCounts {
  readonly made: number;
  readonly changed: number;
  readonly retired: number;
}

/** Is told what happens to sources. */
export interface SourceObserver {
  /** It does not answer; the last known states stay. */
  sourceDown(source: string, error: string): void;
  sourceUp(source: string): void;
  /** A station of sources does not exist, so what they say of it goes nowhere. */
  stationMissing(station: StationAddress): void;
  /** States and rule counts were written. */
  synced(station: StationAddress, changed: number): void;
  /** Resources were made or changed after targets, or removed because theirs are gone. */
  discovered(source: string, counts: DiscoveryCounts): void;
  /** Nothing is discovered, or nothing is retired. */
  discoveryStopped(source: string, why: string): void;
  /** Something other than the source failed, such as the store. It is tried again. */
  failed(what: string, error: unknown): void;
}
