import { stationNotFound } from '@roster/contract';
import type {
  Batch,
  BatchErrors,
  BatchOptions,
  BatchPlan,
  StagedRecord,
  Station,
  WriteResult,
} from '@roster/engine/port';
import type { ClientBase } from 'pg';
import type { BatchToCommit } from '../../shared/batches.ts';
import { noteType } from '../../shared/batches.ts';
import type { DirectWrite } from '../../shared/direct/direct-write.ts';
import { batchEnded } from '../../shared/store-errors.ts';
import type { AnswerWatch } from '../connection/answer-watch.ts';
import type { ConnectionPool, Lease } from '../connection/connection-pool.ts';
import { runSnapshot } from '../connection/run-transaction.ts';
import { translateError } from '../connection/translate-error.ts';
import { type CommittedBatch, commitBatch } from './commit-batch.ts';
import { findRecordErrors } from './compare-batch.ts';
import { planBatch } from './plan-batch.ts';
import { analyzeStaged, clearStaged, copyLine, stageLines } from './staging-table.ts';

/** A smaller batch takes a connection only to be validated, planned or committed. */
const recordsPerCopy = 2_000;

export interface PostgresBatchParts {
  readonly writers: ConnectionPool;
  readonly answers: AnswerWatch;
  readonly server: string;
  readonly maxDirectRecords: number;
  readonly stationId: number;
  readonly station: Station;
  readonly options: BatchOptions;
  /** Runs a commit as a write of the store and announces it. */
  runCommit(commit: () => Promise<CommittedBatch>): Promise<WriteResult>;
  /** Whether the index of this node will want to know what the batch changed. */
  isFollowed(): boolean;
  /** Resolves to undefined when the write must be staged. */
  writeDirectly(write: DirectWrite): Promise<WriteResult | undefined>;
  /** Queues work that locks the station behind this node's other writes to it. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * A few records are kept here and written directly; more are copied into a staging table while the next ones are
 * prepared.
 */
export class PostgresBatch implements Batch {
  readonly #parts: PostgresBatchParts;
  readonly #seenTypes = new Map<string, string | undefined>();
  #kept: StagedRecord[] = [];
  #lines: string[] = [];
  #count = 0;
  #lease: Lease | undefined;
  #copying: Promise<void> = Promise.resolve();
  #ended = false;

  get station(): Station {
    return this.#parts.station;
  }

  constructor(parts: PostgresBatchParts) {
    this.#parts = parts;
  }

  async add(records: readonly StagedRecord[]): Promise<void> {
    this.#requireOpen();
    if (this.#count === 0 && this.#kept.length + records.length <= this.#parts.maxDirectRecords) {
      for (const record of records) this.#kept.push(record);
    } else await this.#stage(records);
  }

  async #stage(records: readonly StagedRecord[]): Promise<void> {
    const all = this.#kept.length === 0 ? records : [...this.#kept, ...records];
    this.#kept = [];
    for (const staged of all) {
      this.#lines.push(copyLine(this.#count++, staged));
      const { typeKey, typeLabel } = staged.record;
      if (typeKey !== undefined) noteType(this.#seenTypes, typeKey, typeLabel);
      if (this.#lines.length >= recordsPerCopy) await this.#copy();
    }
  }

  async validate(): Promise<BatchErrors> {
    this.#requireOpen();
    const { answers } = this.#parts;
    return this.#withStaged((client, batch) => answers.run(client, () => findRecordErrors(client, batch)));
  }

  async plan(maxChanges: number): Promise<BatchPlan> {
    this.#requireOpen();
    return this.#withStaged(async (client, batch) => {
      const planned = () => runSnapshot(client, () => planBatch(client, batch, maxChanges));
      const plan = await this.#parts.answers.run(client, planned);
      if (!plan) throw stationNotFound(this.station.address);
      return plan;
    });
  }

  async commit(): Promise<WriteResult> {
    this.#requireOpen();
    this.#ended = true;
    const { writeDirectly, options } = this.#parts;
    const { address } = this.station;
    const { mode = 'merge', ifRevision, changedBy } = options;
    if (this.#count === 0 && mode !== 'replace') {
      // Validating or planning without records has taken a connection.
      await this.#release();
      const written = await writeDirectly({ address, mode, ifRevision, changedBy, records: this.#kept });
      if (written !== undefined) return written;
    }
    return this.#parts.runCommit(async () => {
      try {
        return await this.#withStaged(async (client, batch) => {
          const { inTurn, answers, isFollowed } = this.#parts;
          const committed = await inTurn(() =>
            answers.run(client, () => commitBatch(client, { ...batch, isFollowed: isFollowed() })),
          );
          if (!committed) throw stationNotFound(this.station.address);
          return committed;
        });
      } finally {
        void this.#release();
      }
    });
  }

  async discard(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#copying.catch(() => undefined);
    await this.#release();
  }

  async #withStaged<T>(work: (client: ClientBase, batch: BatchToCommit) => Promise<T>): Promise<T> {
    try {
      await this.#stage([]);
      await this.#copy();
      await this.#copying;
      const { client } = await this.#connect();
      await this.#parts.answers.run(client, () => analyzeStaged(client, this.#count));
      const { stationId, options } = this.#parts;
      const { mode } = options;
      const kind = { replaces: mode === 'replace', patches: mode === 'patch' };
      const batch = { stationId, ...kind, options, count: this.#count, seenTypes: this.#seenTypes };
      return await work(client, batch);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /** Waits for the previous copy, which bounds memory. */
  async #copy(): Promise<void> {
    const lines = this.#lines;
    this.#lines = [];
    try {
      await this.#copying;
      if (lines.length === 0) return;
      const { client } = await this.#connect();
      this.#copying = this.#parts.answers.run(client, () => stageLines(client, lines.join('')));
      this.#copying.catch(() => undefined);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async #connect(): Promise<Lease> {
    this.#lease ??= await this.#parts.writers.take();
    return this.#lease;
  }

  /** After a failure it is unknown what is staged, so every later call fails the same way. */
  #fail(error: unknown): Error {
    const failure = translateError(error, this.#parts.server);
    if (failure.cause === undefined) return failure;
    this.#copying = Promise.reject(failure);
    this.#copying.catch(() => undefined);
    return failure;
  }

  async #release(): Promise<void> {
    const lease = this.#lease;
    this.#lease = undefined;
    this.#lines = [];
    if (!lease) return;
    try {
      await clearStaged(lease.client, this.#count);
      lease.giveBack();
    } catch (cause) {
      // Otherwise the next user of this connection would find records of this batch.
      lease.giveBack(new Error('the staging table could not be emptied', { cause }));
    }
  }

  #requireOpen(): void {
    if (this.#ended) throw batchEnded();
  }
}
