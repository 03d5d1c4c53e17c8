import type { DatabaseSync } from 'node:sqlite';
import { type StationAddress, stationNotFound } from '@roster/contract';
import type { BatchErrors, BatchOptions } from '@roster/engine/port';
import { noteType } from '../../shared/batches.ts';
import { requireRevision } from '../../shared/store-errors.ts';
import { requireStation } from '../database/find-station.ts';
import {
  type BatchToCommit,
  type BegunCommit,
  type CommittedBatch,
  commitBatch,
  type EarlyDefaults,
} from './commit-batch.ts';
import { createComparisonTables, findRecordErrors } from './compare-batch.ts';
import { EarlyWrite, type ImportSpool } from './early-write.ts';
import type { FlatRecords, FlatRows } from './flat-records.ts';
import { type EncodedPlan, planBatch } from './plan-batch.ts';
import { StagingTable } from './staging-table.ts';

interface BatchToOpen {
  readonly address: StationAddress;
  /** Of the station when the batch began: one created again since then is another. */
  readonly epoch: string;
  readonly options: BatchOptions;
}

interface OpenBatch extends Omit<BatchToOpen, 'epoch'> {
  readonly stationId: number;
  readonly staging: StagingTable;
  readonly seenTypes: Map<string, string | undefined>;
  /** The station is empty, and this is neither a dry run nor a patch. */
  readonly isFirstImport: boolean;
  count: number;
  /** Rows of an abandoned early write, still to be staged. */
  kept: ImportSpool | undefined;
}

/** How many spooled pieces are staged per request; other requests run in between. */
const keptPiecesPerRequest = 4;

/**
 * The open batches of one connection. Staging tables are reused, because creating one makes SQLite prepare
 * all statements again. Methods return undefined while spooled rows are left to stage; the caller asks again.
 */
export class OpenBatches {
  readonly #db: DatabaseSync;
  readonly #earlyFrom: number;
  readonly #open = new Map<number, OpenBatch>();
  readonly #free: StagingTable[] = [];
  #early: { readonly batch: OpenBatch; readonly write: EarlyWrite } | undefined;
  #tables = 0;
  #damaged = false;

  constructor(db: DatabaseSync, earlyFrom: number) {
    this.#db = db;
    this.#earlyFrom = earlyFrom;
    createComparisonTables(db);
  }

  /** A table could not be emptied; replace the connection once it is idle. */
  get isDamaged(): boolean {
    return this.#damaged;
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  /** Whether an early write has its transaction open. */
  get isWritingEarly(): boolean {
    return this.#early !== undefined;
  }

  open(id: number, { address, epoch, options }: BatchToOpen): void {
    this.giveUpEarlyWrite();
    const station = requireStation(this.#db, address);
    if (station.head.epoch !== epoch) throw stationNotFound(address);
    requireRevision(station.head, options.ifRevision);
    const staging = this.#free.pop() ?? new StagingTable(this.#db, `staged_${++this.#tables}`);
    const seenTypes = new Map<string, string | undefined>();
    const isFirstImport = station.counts.resources === 0 && !options.dryRun && options.mode !== 'patch';
    const batch = { stationId: station.id, staging, seenTypes, isFirstImport, count: 0, kept: undefined };
    this.#open.set(id, { address, options, ...batch });
  }

  /** Returns what is written for omitted fields, if all records so far are written. */
  add(id: number, records: FlatRecords): EarlyDefaults | undefined {
    const batch = this.#get(id);
    const countBefore = batch.count;
    batch.count += records.count;
    for (const [key, label] of records.seenTypes) noteType(batch.seenTypes, key, label);
    if (this.#early?.batch !== batch) this.#stage(batch, records);
    else if (!this.#early.write.add(records)) this.giveUpEarlyWrite();
    if (countBefore < this.#earlyFrom && batch.count >= this.#earlyFrom) this.#beginEarlyWrite(batch);
    return this.#early?.batch === batch ? this.#early.write.defaults : undefined;
  }

  validate(id: number): BatchErrors | undefined {
    const batch = this.#get(id);
    if (!this.#stageMore(batch)) return undefined;
    return findRecordErrors(this.#db, toCommit(batch));
  }

  plan(id: number, maxChanges: number): EncodedPlan | undefined {
    const batch = this.#get(id);
    if (!this.#stageMore(batch)) return undefined;
    const plan = planBatch(this.#db, toCommit(batch), maxChanges);
    if (!plan) throw stationNotFound(batch.address);
    return plan;
  }

  commit(id: number, onBegun?: (begun: BegunCommit) => void): CommittedBatch | undefined {
    const batch = this.#get(id);
    let isOver = true;
    try {
      if (this.#early?.batch === batch) return this.#early.write.commit(toCommit(batch));
      isOver = this.#stageMore(batch);
      if (!isOver) return undefined;
      const committed = commitBatch(this.#db, toCommit(batch), onBegun);
      if (!committed) throw stationNotFound(batch.address);
      return committed;
    } finally {
      if (isOver) this.discard(id);
    }
  }

  discard(id: number): void {
    const batch = this.#open.get(id);
    this.#open.delete(id);
    if (!batch) return;
    try {
      if (this.#early?.batch === batch) this.giveUpEarlyWrite();
      batch.kept?.close();
      batch.staging.clear();
      this.#free.push(batch.staging);
    } catch {
      this.#damaged = true;
    }
  }

  /** Ends the transaction of an early write. Required before anything that does not concern its batch. */
  giveUpEarlyWrite(): void {
    if (!this.#early) return;
    const { batch, write } = this.#early;
    this.#early = undefined;
    batch.kept = write.kept;
    write.end();
  }

  /** Tried once per batch, while little is staged: writing that blocks everyone else. */
  #beginEarlyWrite(batch: OpenBatch): void {
    if (!batch.isFirstImport || this.#open.size > 1) return;
    const write = EarlyWrite.begin(this.#db, toCommit(batch));
    if (write) this.#early = { batch, write };
  }

  #stage(batch: OpenBatch, rows: FlatRows): void {
    if (batch.kept) {
      batch.kept.add(rows);
      this.#stageMore(batch);
    } else batch.staging.add(rows);
  }

  /** Stages some more spooled rows. Returns whether all are staged. */
  #stageMore(batch: OpenBatch): boolean {
    if (this.#early?.batch === batch) this.giveUpEarlyWrite();
    if (batch.kept?.passOn(keptPiecesPerRequest, (rows) => batch.staging.add(rows))) return false;
    batch.kept?.close();
    batch.kept = undefined;
    return true;
  }

  #get(id: number): OpenBatch {
    const batch = this.#open.get(id);
    if (!batch) throw new Error(`there is no open batch ${id}`);
    return batch;
  }
}

function toCommit({ stationId, options, staging, seenTypes, count }: OpenBatch): BatchToCommit {
  return {
    stationId,
    table: staging.name,
    given: staging.given,
    count,
    seenTypes,
    options,
    replaces: options.mode === 'replace',
    patches: options.mode === 'patch',
  };
}
