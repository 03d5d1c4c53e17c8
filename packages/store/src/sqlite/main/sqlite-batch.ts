import { type RemovalAllowance, removalRefusal } from '@roster/contract';
import {
  type Batch,
  type BatchErrors,
  type BatchOptions,
  type BatchPlan,
  type PlannedChange,
  type StagedRecord,
  type Station,
  TimeSlicer,
  type WriteResult,
} from '@roster/engine/port';
import type { Announced } from '../../shared/announcements.ts';
import type { DirectWrite } from '../../shared/direct/direct-write.ts';
import { batchEnded } from '../../shared/store-errors.ts';
import { parseOptionalResource } from '../database/resource-columns.ts';
import type { WorkerChannel } from '../threads/worker-channel.ts';
import type { BegunCommit, CommittedBatch, EarlyDefaults } from '../writer/commit-batch.ts';
import { flattenRecords } from '../writer/flat-records.ts';
import type { EncodedPlan } from '../writer/plan-batch.ts';
import type { WriterHandlers } from '../writer/writer-thread.ts';
import type { ArrivingRows } from './arriving-rows.ts';
import type { ChangesAhead } from './changes-ahead.ts';
import { ImportHandover } from './import-handover.ts';

const recordsPerMessage = 1_000;
const messagesInFlight = 4;

/** A committed batch, and what is known of its changes. */
export type KnownBatch = CommittedBatch & Pick<Announced, 'arrived' | 'feed'>;

interface SqliteBatchParts {
  readonly writer: WorkerChannel<WriterHandlers>;
  readonly station: Station;
  readonly options: BatchOptions;
  /** With more records it is staged. */
  readonly maxDirect: number;
  /** From this many records on, the first import of a station is written while it arrives. */
  readonly earlyFrom: number;
  /** Begins to hand rows over to the index. Undefined if it does not want them. */
  beginArrival(defaults: EarlyDefaults): ArrivingRows | undefined;
  /** To render what the batch changes. Undefined if the index does not follow the station. */
  prepareChanges(): ChangesAhead | undefined;
  /** Runs a commit as a write of the store and makes its result visible. */
  runCommit(commit: () => Promise<KnownBatch>): Promise<WriteResult>;
  writeDirectly(write: DirectWrite): Promise<WriteResult>;
}

/**
 * The main thread's side of a batch. A few records are kept here and written directly; more go to the writer thread,
 * with a few messages in flight.
 */
export class SqliteBatch implements Batch {
  readonly #parts: SqliteBatchParts;
  readonly #inFlight = new Set<Promise<void>>();
  #kept: StagedRecord[] = [];
  /** The writer thread's id of the batch, once it has one. */
  #staged: Promise<number> | undefined;
  #handover: ImportHandover | undefined;
  #changes: ChangesAhead | undefined;
  #failure: unknown;
  #ended = false;

  get station(): Station {
    return this.#parts.station;
  }

  constructor(parts: SqliteBatchParts) {
    this.#parts = parts;
  }

  async add(records: readonly StagedRecord[]): Promise<void> {
    this.#requireOpen();
    if (this.#staged === undefined && this.#kept.length + records.length <= this.#parts.maxDirect) {
      for (const record of records) this.#kept.push(record);
    } else await this.#stage(records);
  }

  async validate(): Promise<BatchErrors> {
    this.#requireOpen();
    const id = await this.#allStaged();
    return untilAnswered(() => this.#parts.writer.request('validateBatch', id));
  }

  async plan(maxChanges: number): Promise<BatchPlan> {
    this.#requireOpen();
    const id = await this.#allStaged();
    const { writer, options } = this.#parts;
    const plan = await untilAnswered(() => writer.request('planBatch', id, maxChanges));
    return decodePlan(plan, options.allowRemoval ?? 'half');
  }

  async commit(): Promise<WriteResult> {
    this.#requireOpen();
    this.#ended = true;
    const { writer, runCommit, writeDirectly, options } = this.#parts;
    const { address, head } = this.station;
    const { mode = 'merge', ifRevision, changedBy } = options;
    if (this.#staged === undefined && mode !== 'replace') {
      return writeDirectly({ address, epoch: head.epoch, mode, ifRevision, changedBy, records: this.#kept });
    }
    return runCommit(async () => {
      try {
        const id = await this.#allStaged();
        const onBegun = (begun: BegunCommit) => this.#changes?.begin(begun);
        const committed = await untilAnswered(() => writer.requestWithNews('commitBatch', onBegun, id));
        if (committed.early === undefined) this.#handover?.fail();
        const arrived = committed.early && this.#handover?.complete(committed.counts.resources);
        return { ...committed, arrived, feed: this.#changes?.feed(committed) };
      } catch (error) {
        this.#handover?.fail();
        this.#changes?.end();
        await this.#discardStaged().catch(() => undefined);
        throw error;
      }
    });
  }

  async discard(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#handover?.fail();
    this.#changes?.end();
    await this.#discardStaged();
  }

  /** A batch that was committed or never opened is not there any more, which is fine. */
  async #discardStaged(): Promise<void> {
    const id = await this.#staged?.catch(() => undefined);
    if (id !== undefined) await this.#parts.writer.request('discardBatch', id);
  }

  async #stage(records: readonly StagedRecord[]): Promise<void> {
    const { writer, options, earlyFrom, beginArrival, prepareChanges } = this.#parts;
    if (this.#staged === undefined) {
      this.#staged = writer.request('openBatch', this.station, options);
      if (this.#isFirstImport) this.#handover = new ImportHandover({ earlyFrom, begin: beginArrival });
      else if (!options.dryRun) this.#changes = prepareChanges();
    }
    const id = await this.#staged;
    const all = this.#kept.length === 0 ? records : [...this.#kept, ...records];
    this.#kept = [];
    for (let start = 0; start < all.length; start += recordsPerMessage) {
      if (this.#failure) throw this.#failure;
      this.#send(id, all.slice(start, start + recordsPerMessage));
      while (this.#inFlight.size >= messagesInFlight) await Promise.race(this.#inFlight);
    }
    if (this.#failure) throw this.#failure;
  }

  #send(id: number, records: readonly StagedRecord[]): void {
    const flat = flattenRecords(records);
    this.#changes?.add(flat);
    const sent = this.#parts.writer
      .request('addRecords', id, flat)
      .then((early) => this.#handover?.add(flat, early))
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .then(() => {
        this.#inFlight.delete(sent);
      });
    this.#inFlight.add(sent);
  }

  /** Resolves to the writer thread's id of the batch. */
  async #allStaged(): Promise<number> {
    await this.#stage([]);
    await Promise.all(this.#inFlight);
    if (this.#failure) throw this.#failure;
    return this.#staged!;
  }

  get #isFirstImport(): boolean {
    const { station, options } = this.#parts;
    return station.counts.resources === 0 && !options.dryRun && options.mode !== 'patch';
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
