import type { DatabaseSync } from 'node:sqlite';
import { type StationAddress, stationNotFound } from '@roster/contract';
import type { BatchFaults } from '@roster/engine';
import { type CommittedBatch, commitBatch } from './commit-batch.ts';
import { findBatchFaults } from './find-batch-faults.ts';
import { requireStation } from './find-station.ts';
import type { FlatRecords } from './flat-records.ts';
import { StagingTable } from './staging-table.ts';

interface OpenBatch {
  readonly address: StationAddress;
  readonly stationId: number;
  readonly staging: StagingTable;
}

/**
 * The batches under way on one connection. Staging tables are used again by later batches, since every new
 * one makes SQLite prepare all statements anew.
 */
export class BatchDesk {
  readonly #db: DatabaseSync;
  readonly #open = new Map<number, OpenBatch>();
  readonly #free: StagingTable[] = [];
  #tables = 0;
  #damaged = false;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** A table could not be emptied. The connection should be replaced once it is idle. */
  get isDamaged(): boolean {
    return this.#damaged;
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  open(id: number, address: StationAddress): void {
    const { id: stationId } = requireStation(this.#db, address);
    const staging = this.#free.pop() ?? new StagingTable(this.#db, `staged_${++this.#tables}`);
    this.#open.set(id, { address, stationId, staging });
  }

  add(id: number, records: FlatRecords): void {
    this.#get(id).staging.add(records);
  }

  validate(id: number): BatchFaults {
    const { stationId, staging } = this.#get(id);
    return findBatchFaults(this.#db, { stationId, table: staging.name });
  }

  commit(id: number): CommittedBatch {
    const { address, stationId, staging } = this.#get(id);
    try {
      const { name: table, count, labelByTypeKey } = staging;
      const committed = commitBatch(this.#db, { stationId, table, count, labelByTypeKey });
      if (!committed) throw stationNotFound(address);
      return committed;
    } finally {
      this.discard(id);
    }
  }

  discard(id: number): void {
    const batch = this.#open.get(id);
    this.#open.delete(id);
    if (!batch) return;
    try {
      batch.staging.clear();
      this.#free.push(batch.staging);
    } catch {
      this.#damaged = true;
    }
  }

  #get(id: number): OpenBatch {
    const batch = this.#open.get(id);
    if (!batch) throw new Error(`there is no open batch ${id}`);
    return batch;
  }
}
