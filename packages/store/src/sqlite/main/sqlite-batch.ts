import { type RemovalAllowance, removalRefusal } from '@roster/contract';
import {
  type Batch,
  type BatchErrors,
  type BatchPlan,
  type PlannedChange,
  type StagedRecord,
  TimeSlicer,
  type WriteResult,
} from '@roster/engine';
import { batchEnded } from '../../shared/store-errors.ts';
import { parseOptionalResource } from '../database/resource-columns.ts';
import type { WorkerChannel } from '../threads/worker-channel.ts';
import type { CommittedBatch } from '../writer/commit-batch.ts';
import { flattenRecords } from '../writer/flat-records.ts';
import type { EncodedPlan } from '../writer/plan-batch.ts';
import type { WriterHandlers } from '../writer/writer-thread.ts';

const recordsPerMessage = 1_000;
const messagesInFlight = 4;

/** Runs a commit as a write of the store and makes its result visible. */
type RunCommit = (commit: () => Promise<CommittedBatch>) => Promise<WriteResult>;

interface SqliteBatchParts {
  readonly writer: WorkerChannel<WriterHandlers>;
  /** The writer thread's id of the batch. */
  readonly id: number;
  readonly allowRemoval: RemovalAllowance;
  readonly runCommit: RunCommit;
}

/** The main thread's side of a batch, with a few messages in flight to the writer thread. */
export class SqliteBatch implements Batch {
  readonly #writer: WorkerChannel<WriterHandlers>;
  readonly #id: number;
  readonly #allowRemoval: RemovalAllowance;
  readonly #runCommit: RunCommit;
  readonly #inFlight = new Set<Promise<void>>();
  #failure: unknown;
  #ended = false;

  constructor({ writer, id, allowRemoval, runCommit }: SqliteBatchParts) {
    this.#writer = writer;
    this.#id = id;
    this.#allowRemoval = allowRemoval;
    this.#runCommit = runCommit;
  }

  async add(records: readonly StagedRecord[]): Promise<void> {
    this.#requireOpen();
    for (let start = 0; start < records.length; start += recordsPerMessage) {
      if (this.#failure) throw this.#failure;
      this.#send(records.slice(start, start + recordsPerMessage));
      while (this.#inFlight.size >= messagesInFlight) await Promise.race(this.#inFlight);
    }
    if (this.#failure) throw this.#failure;
  }

  async validate(): Promise<BatchErrors> {
    this.#requireOpen();
    await this.#allStaged();
    return untilAnswered(() => this.#writer.request('validateBatch', this.#id));
  }

  async plan(maxChanges: number): Promise<BatchPlan> {
    this.#requireOpen();
    await this.#allStaged();
    const plan = await untilAnswered(() => this.#writer.request('planBatch', this.#id, maxChanges));
    return decodePlan(plan, this.#allowRemoval);
  }

  async commit(): Promise<WriteResult> {
    this.#requireOpen();
    this.#ended = true;
    return this.#runCommit(async () => {
      try {
        await this.#allStaged();
      } catch (error) {
        await this.#writer.request('discardBatch', this.#id).catch(() => undefined);
        throw error;
      }
      return untilAnswered(() => this.#writer.request('commitBatch', this.#id));
    });
  }

  async discard(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#writer.request('discardBatch', this.#id);
  }

  #send(records: readonly StagedRecord[]): void {
    const sent = this.#writer
      .request('addRecords', this.#id, flattenRecords(records))
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .then(() => {
        this.#inFlight.delete(sent);
      });
    this.#inFlight.add(sent);
  }

  async #allStaged(): Promise<void> {
    await Promise.all(this.#inFlight);
    if (this.#failure) throw this.#failure;
  }

  #requireOpen(): void {
    if (this.#ended) throw batchEnded();
  }
}

/** Long work is requested in steps. */
async function untilAnswered<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
  }
}

const changesPerLookAtClock = 16;

/** Made here because errors lose their class between threads. */
async function decodePlan(plan: EncodedPlan, allowRemoval: RemovalAllowance): Promise<BatchPlan> {
  const { created, updated, removed } = plan.difference;
  const slicer = new TimeSlicer();
  const changes: PlannedChange[] = [];
  for (const { line, before, after } of plan.changes) {
    if (changes.length % changesPerLookAtClock === 0 && slicer.isDue) await slicer.pause();
    changes.push({
      line: line ?? undefined,
      before: parseOptionalResource(before),
      after: parseOptionalResource(after),
    });
  }
  return {
    head: plan.head,
    created,
    updated,
    unchanged: plan.unchanged,
    removed,
    newTypes: plan.newTypes,
    changes,
    refusal: removalRefusal(removed, plan.stationSize, allowRemoval),
  };
}
