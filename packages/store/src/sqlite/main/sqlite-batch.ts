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

interface SqliteBatchParts {
  readonly writer: WorkerChannel<WriterHandlers>;
  /** The writer thread's id of the batch. */
  readonly id: number;
  readonly allowRemoval: RemovalAllowance;
  /** Runs a commit as a write of the store and makes its result visible. */
  runCommit(commit: () => Promise<CommittedBatch>): Promise<WriteResult>;
}

/** The main thread's side of a batch, with a few messages in flight to the writer thread. */
export class SqliteBatch implements Batch {
  readonly #parts: SqliteBatchParts;
  readonly #inFlight = new Set<Promise<void>>();
  #failure: unknown;
  #ended = false;

  constructor(parts: SqliteBatchParts) {
    this.#parts = parts;
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
    const { writer, id } = this.#parts;
    return untilAnswered(() => writer.request('validateBatch', id));
  }

  async plan(maxChanges: number): Promise<BatchPlan> {
    this.#requireOpen();
    await this.#allStaged();
    const { writer, id, allowRemoval } = this.#parts;
    return decodePlan(await untilAnswered(() => writer.request('planBatch', id, maxChanges)), allowRemoval);
  }

  async commit(): Promise<WriteResult> {
    this.#requireOpen();
    this.#ended = true;
    const { writer, id, runCommit } = this.#parts;
    return runCommit(async () => {
      try {
        await this.#allStaged();
      } catch (error) {
        await writer.request('discardBatch', id).catch(() => undefined);
        throw error;
      }
      return untilAnswered(() => writer.request('commitBatch', id));
    });
  }

  async discard(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#parts.writer.request('discardBatch', this.#parts.id);
  }

  #send(records: readonly StagedRecord[]): void {
    const sent = this.#parts.writer
      .request('addRecords', this.#parts.id, flattenRecords(records))
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
async function decodePlan(
  { stationSize, changes: encoded, ...plan }: EncodedPlan,
  allowRemoval: RemovalAllowance,
): Promise<BatchPlan> {
  const slicer = new TimeSlicer();
  const changes: PlannedChange[] = [];
  for (const { line, before, after } of encoded) {
    if (changes.length % changesPerLookAtClock === 0 && slicer.isDue) await slicer.pause();
    changes.push({
      line: line ?? undefined,
      before: parseOptionalResource(before),
      after: parseOptionalResource(after),
    });
  }
  return { ...plan, changes, refusal: removalRefusal(plan.removed, stationSize, allowRemoval) };
}
