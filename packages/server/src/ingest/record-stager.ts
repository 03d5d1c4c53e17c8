import { parseRecord, type RecordFault } from '@roster/contract';
import { type Batch, type StagedRecord, TimeSlicer } from '@roster/engine';
import { DistinctValues, type KnownValues } from './distinct-values.ts';
import { FaultList } from './fault-list.ts';
import type { ReadRecord, ReadResult } from './record-reader.ts';

const recordsPerAdd = 1000;
const recordsPerLookAtClock = 16;

interface StagerOptions {
  /** The path of the station that the batch belongs to. */
  readonly station: string;
  readonly known: KnownValues;
  /** At so many faulty records the rest of the body is not read; all are unless given. */
  readonly maxFaultyRecords?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Checks records and adds them to a batch, without keeping others from the thread for long. */
export class RecordStager {
  readonly #batch: Batch;
  readonly #options: StagerOptions;
  readonly #distinct: DistinctValues;
  readonly #faults = new FaultList();
  /** Of the whole body: many of its pieces may be there at once, and are then staged without a pause between them. */
  readonly #slicer = new TimeSlicer();
  #staged: StagedRecord[] = [];
  #count = 0;
  #faultyCount = 0;

  constructor(batch: Batch, options: StagerOptions) {
    this.#batch = batch;
    this.#options = options;
    this.#distinct = new DistinctValues(options.known);
  }

  /** How many records there were so far, faulty ones included. */
  get count(): number {
    return this.#count;
  }

  /** Throws `invalid_records` as soon as there are so many faulty records that the rest need not be read. */
  async stage(results: Iterable<ReadResult>): Promise<void> {
    this.#options.signal?.throwIfAborted();
    for (const result of results) {
      this.#check(result);
      if (this.#faultyCount === this.#options.maxFaultyRecords) await this.#refuse(lineOf(result));
      if (this.#staged.length >= recordsPerAdd) await this.#add();
      if (++this.#count % recordsPerLookAtClock === 0 && this.#slicer.isDue) {
        await this.#slicer.pause();
        this.#options.signal?.throwIfAborted();
      }
    }
  }

  /** Throws `invalid_records` when anything was wrong with any record. */
  async end(): Promise<void> {
    if (this.#faultyCount > 0) await this.#refuse();
    else if (this.#staged.length > 0) await this.#add();
  }

  async #refuse(stoppedAtLine?: number): Promise<never> {
    if (this.#staged.length > 0) await this.#add();
    this.#faults.merge(await this.#batch.validate());
    throw this.#faults.toError(stoppedAtLine);
  }

  #check(result: ReadResult): void {
    const faults = 'faults' in result ? result.faults : this.#checkRecord(result);
    if (faults.length === 0) return;
    this.#faultyCount++;
    this.#faults.add(faults);
  }

  /** Stages the record unless it has faults. */
  #checkRecord(read: ReadRecord): readonly RecordFault[] {
    const { line, column, value } = read;
    const parsed = parseRecord(value, line, this.#options);
    const faults = 'faults' in parsed ? parsed.faults : this.#distinct.findFaults(parsed.record, line);
    if ('record' in parsed && faults.length === 0) {
      this.#staged.push({ line, column, record: parsed.record });
    }
    return this.#faults.isFull ? faults : faults.map((fault) => locate(fault, read));
  }

  async #add(): Promise<void> {
    const staged = this.#staged;
    this.#staged = [];
    await this.#batch.add(staged);
  }
}

function lineOf(result: ReadResult): number {
  return 'faults' in result ? result.faults[0]!.line : result.line;
}

function locate({ field, reason }: RecordFault, record: ReadRecord): RecordFault {
  const { line, column } = (field === undefined ? undefined : record.placeOf(field)) ?? record;
  return { line, column, field, reason };
}
