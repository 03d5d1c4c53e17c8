import type { ResourceType, StationAddress } from '@roster/contract';
import type { BatchFaults, Head, WriteResult } from '@roster/engine';
import type { CommittedBatch } from './commit-batch.ts';
import type { FlatRecords } from './flat-records.ts';
import type { CatalogChange } from './type-catalog.ts';

/** What the main thread may ask of the writer thread. */
export type WriterRequests = {
  createStation: { input: StationAddress; output: { created: boolean; head: Head } };
  deleteStation: { input: StationAddress; output: boolean };
  openBatch: { input: StationAddress; output: number };
  addRecords: { input: { batch: number; records: FlatRecords }; output: undefined };
  validateBatch: { input: number; output: BatchFaults };
  commitBatch: { input: number; output: CommittedBatch };
  discardBatch: { input: number; output: undefined };
  removeResource: { input: { address: StationAddress; resourceId: string }; output: WriteResult };
  putTypes: { input: readonly ResourceType[]; output: CatalogChange };
  compact: { input: number; output: undefined };
  close: { input: undefined; output: undefined };
};
