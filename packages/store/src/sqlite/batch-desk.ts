import type { DatabaseSync } from 'node:sqlite';
import { type StationAddress, stationNotFound } from '@roster/contract';
import type { BatchFaults, BatchOptions } from '@roster/engine';
import { requireRevision } from '../shared/require-revision.ts';
import { type BatchToCommit, type CommittedBatch, commitBatch } from './commit-batch.ts';
import { createComparisonTables } from './compare-batch.ts';
import { findBatchFaults } from './find-batch-faults.ts';
import { requireStation } from './find-station.ts';
import type { FlatRecords } from './flat-records.ts';
import { type EncodedPlan, planBatch } from './plan-batch.ts';
import { StagingTable } from './staging-table.ts';

export interface BatchToOpen {
  readonly address: StationAddress;
  readonly options: BatchOptions;
}

interface OpenBatch extends BatchToOpen {
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
    createComparisonTables(db);
  }

  /** A table could not be emptied. The connection should be replaced once it is idle. */
  get isDamaged(): boolean {
    return this.#damaged;
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  open(id: number, { address, options }: BatchToOpen): void {
    const station = requireStation(this.#db, address);
    requireRevision(station.head, options.ifRevision);
    const staging = this.#free.pop() ?? new StagingTable(this.#db, `staged_${++this.#tables}`);
    this.#open.set(id, { address, options, stationId: station.id, staging });
  }

  add(id: number, records: FlatRecords): void {
    this.#get(id).staging.add(records);
  }

  validate(id: number): BatchFaults {
    return findBatchFaults(this.#db, toCommit(this.#get(id)));
  }

  plan(id: number, maxChanges: number): EncodedPlan {
    const batch = this.#get(id);
    const plan = planBatch(this.#db, toCommit(batch), maxChanges);
    if (!plan) throw stationNotFound(batch.address);
    return plan;
  }

  commit(id: number): CommittedBatch {
    const batch = this.#get(id);
    try {
      const committed = commitBatch(this.#db, toCommit(batch));
      if (!committed) throw stationNotFound(batch.address);
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

function toCommit({ stationId, options, staging }: OpenBatch): BatchToCommit {
  const { name: table, count, labelByTypeKey } = staging;
  return { stationId, table, count, labelByTypeKey, options, replaces: options.mode === 'replace' };
}
