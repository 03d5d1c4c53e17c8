import type { StationAddress } from '@roster/contract';
import type { Store } from '@roster/engine';

/** What sources need of a store. */
export type SourceStore = Pick<Store, 'feed' | 'openBatch' | 'notes'>;

/** Is told what happens to sources. */
export interface SourceObserver {
  /** It does not answer; the last known states stay. */
  sourceDown(source: string, error: string): void;
  sourceUp(source: string): void;
  /** States and rule counts were written. */
  synced(station: StationAddress, changed: number): void;
  /** Something other than the source failed, such as the store. It is tried again. */
  failed(what: string, error: unknown): void;
}
