import { setImmediate } from 'node:timers/promises';
import { type ParseRecordOptions, parseRecord, type RecordFault } from '@roster/contract';
import type { Batch, StagedRecord } from '@roster/engine';
import { FaultList } from './fault-list.ts';
import type { ReadRecord, ReadResult } from './record-reader.ts';

const recordsPerAdd = 1000;
const maxSliceMs = 5;
const recordsPerLookAtClock = 16;

/** Checks records and adds them to a batch, without keeping others from the thread for long. */
export class RecordStager {
  readonly #batch: Batch;
  readonly #options: ParseRecordOptions;
  readonly #faults = new FaultList();
  #staged: StagedRecord[] = [];
  #count = 0;

  constructor(batch: Batch, station: string) {
    this.#batch = batch;
    this.#options = { station };
  }

  /** How many records there were so far, faulty ones included. */
  get count(): number {
    return this.#count;
  }

  async stage(results: Iterable<ReadResult>): Promise<void> {
    let sliceEndsAt = performance.now() + maxSliceMs;
    for (const result of results) {
      this.#check(result);
      if (this.#staged.length >= recordsPerAdd) await this.#add();
      if (++this.#count % recordsPerLookAtClock === 0 && performance.now() > sliceEndsAt) {
        await setImmediate();
        sliceEndsAt = performance.now() + maxSliceMs;
      }
    }
  }

  /** Throws `invalid_records` when anything was wrong with any record. */
  async end(): Promise<void> {
    if (this.#staged.length > 0) await this.#add();
    if (this.#faults.total === 0) return;
    this.#faults.merge(await this.#batch.validate());
    throw this.#faults.toError();
  }

  #check(result: ReadResult): void {
    if ('faults' in result) {
      this.#faults.add(result.faults);
      return;
    }
    const { line, column, value } = result;
    const parsed = parseRecord(value, line, this.#options);
    if ('record' in parsed) this.#staged.push({ line, column, record: parsed.record });
    else if (this.#faults.isFull) this.#faults.add(parsed.faults);
    else this.#faults.add(parsed.faults.map((fault) => locate(fault, result)));
  }

  async #add(): Promise<void> {
    const staged = this.#staged;
    this.#staged = [];
    await this.#batch.add(staged);
  }
}

function locate({ field, reason }: RecordFault, record: ReadRecord): RecordFault {
  const { line, column } = (field === undefined ? undefined : record.placeOf(field)) ?? record;
  return { line, column, field, reason };
}
