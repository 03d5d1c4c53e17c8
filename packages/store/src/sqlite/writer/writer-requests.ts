import type { StationAddress } from '@roster/contract';
import type { BatchErrors, Head, StoredToken } from '@roster/engine';
import type { TokenRemoval } from '../../shared/tokens.ts';
import type { CatalogChange, TypesToPut, TypeToDelete } from '../database/type-catalog.ts';
import type { CommittedBatch } from './commit-batch.ts';
import type { FlatRecords } from './flat-records.ts';
import type { BatchToOpen } from './open-batches.ts';
import type { EncodedPlan } from './plan-batch.ts';
import type { Removal, ResourceToRemove, StationDeletion, StationToDelete } from './station-writes.ts';

/** The result of a token write, and all tokens after it. */
export interface TokenWrite<T> {
  readonly result: T;
  readonly tokens: readonly StoredToken[];
}

/** Requests of the main thread to the writer thread. */
export type WriterRequests = {
  createStation: { input: StationAddress; output: { created: boolean; head: Head } };
  deleteStation: { input: StationToDelete; output: StationDeletion };
  openBatch: { input: BatchToOpen; output: number };
  addRecords: { input: { batch: number; records: FlatRecords }; output: undefined };
  /** These three return undefined while there is more to stage; ask again. */
  validateBatch: { input: number; output: BatchErrors | undefined };
  planBatch: { input: { batch: number; maxChanges: number }; output: EncodedPlan | undefined };
  commitBatch: { input: number; output: CommittedBatch | undefined };
  discardBatch: { input: number; output: undefined };
  removeResource: { input: ResourceToRemove; output: Removal };
  putTypes: { input: TypesToPut; output: CatalogChange };
  deleteType: { input: TypeToDelete; output: CatalogChange | undefined };
  addToken: { input: StoredToken; output: TokenWrite<undefined> };
  addFirstToken: { input: StoredToken; output: TokenWrite<boolean> };
  removeToken: { input: TokenRemoval; output: TokenWrite<readonly string[]> };
  recordTokenUses: { input: ReadonlyMap<string, number>; output: TokenWrite<undefined> };
  /**
   * Forgets some of what was committed up to `untilMs`, and returns whether there is more. The newest
   * revision of that age stays known: a feed from it misses nothing.
   */
  compact: { input: number; output: boolean };
  close: { input: undefined; output: undefined };
};
