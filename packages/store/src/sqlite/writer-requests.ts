import type { StationAddress } from '@roster/contract';
import type { BatchFaults, Head, StoredToken } from '@roster/engine';
import type { BatchToOpen } from './batch-desk.ts';
import type { CommittedBatch } from './commit-batch.ts';
import type { FlatRecords } from './flat-records.ts';
import type { EncodedPlan } from './plan-batch.ts';
import type { Removal, ResourceToRemove, StationToDelete } from './station-writes.ts';
import type { CatalogChange, TypesToPut, TypeToDelete } from './type-catalog.ts';

/** What the main thread may ask of the writer thread. */
export type WriterRequests = {
  createStation: { input: StationAddress; output: { created: boolean; head: Head } };
  deleteStation: { input: StationToDelete; output: boolean };
  openBatch: { input: BatchToOpen; output: number };
  addRecords: { input: { batch: number; records: FlatRecords }; output: undefined };
  /** These three answer undefined as long as there is more to stage, and are to be asked again then. */
  validateBatch: { input: number; output: BatchFaults | undefined };
  planBatch: { input: { batch: number; maxChanges: number }; output: EncodedPlan | undefined };
  commitBatch: { input: number; output: CommittedBatch | undefined };
  discardBatch: { input: number; output: undefined };
  removeResource: { input: ResourceToRemove; output: Removal };
  putTypes: { input: TypesToPut; output: CatalogChange };
  deleteType: { input: TypeToDelete; output: CatalogChange | undefined };
  addToken: { input: StoredToken; output: undefined };
  addFirstToken: { input: StoredToken; output: boolean };
  removeToken: { input: string; output: boolean };
  recordTokenUses: { input: ReadonlyMap<string, number>; output: undefined };
  /** Forgets part of what was committed up to a time, and answers whether there is more. */
  compact: { input: number; output: boolean };
  close: { input: undefined; output: undefined };
};
