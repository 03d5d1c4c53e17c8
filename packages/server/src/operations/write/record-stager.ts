import {
  invalidRecords,
  limits,
  parseRecord,
  type RecordError,
  type RosterError,
  shorten,
} from '@roster/contract';
import { type Batch, type BatchErrors, type StagedRecord, TimeSlicer } from '@roster/engine';
import { DistinctValues, type KnownValues } from './distinct-values.ts';
import type { ReadRecord, ReadResult } from './formats/record-reader.ts';
import type { SourcedFields } from './sourced-fields.ts';

const recordsPerAdd = 1000;
const recordsPerClockCheck = 16;

interface StagerOptions {
  /** The path of the station that the batch belongs to. */
  readonly station: string;
  readonly isPatch: boolean;
  readonly known: KnownValues;
  /** The fields that sources own are left out. */
  readonly sourced?: SourcedFields | undefined;
  /** Reading stops at this number of invalid records; no limit if undefined. */
  readonly maxInvalidRecords?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The account or address that sent the records. */
  readonly party?: string | undefined;
}

/** Validates records and adds them to a batch, in time slices. */
export class RecordStager {
  readonly #batch: Batch;
  readonly #options: StagerOptions;
  readonly #distinct: DistinctValues;
  readonly #errors = new RecordErrors();
  /** One for the whole body, because many pieces may arrive at once. */
  readonly #slicer: TimeSlicer;
  #staged: StagedRecord[] = [];
  #count = 0;
  #invalidCount = 0;

  constructor(batch: Batch, options: StagerOptions) {
    this.#batch = batch;
    this.#options = options;
    this.#slicer = new TimeSlicer({ party: options.party });
    this.#distinct = new DistinctValues(options.known);
  }

  /** How many records were read so far, including invalid ones. */
  get count(): number {
    return this.#count;
  }

  /** The states of the records read so far that were not known before. */
  get addedStates(): ReadonlySet<string> {
    return this.#distinct.addedStates;
  }

  /** Throws `invalid_records` if reading must stop early. */
  async stage(results: Iterable<ReadResult | undefined>): Promise<void> {
    this.#options.signal?.throwIfAborted();
    for (const result of results) {
      if (result !== undefined) {
        this.#check(result);
        if (this.#stopsAt(result)) await this.#refuse(lineOf(result));
        if (this.#staged.length >= recordsPerAdd) await this.#add();
        if (++this.#count % recordsPerClockCheck !== 0) continue;
      }
      if (this.#slicer.isDue) {
        await this.#slicer.pause();
        this.#options.signal?.throwIfAborted();
      }
    }
  }

  /** Throws `invalid_records` if any record was invalid. */
  async end(): Promise<void> {
    if (this.#invalidCount > 0) await this.#refuse();
    else if (this.#staged.length > 0) await this.#add();
  }

  #stopsAt(result: ReadResult): boolean {
    return (
      ('errors' in result && result.isLast === true) || this.#invalidCount === this.#options.maxInvalidRecords
    );
  }

  async #refuse(stoppedAtLine?: number): Promise<never> {
    if (this.#staged.length > 0) await this.#add();
    this.#errors.merge(await this.#batch.validate());
    throw this.#errors.toError(stoppedAtLine);
  }

  #check(result: ReadResult): void {
    const errors = 'errors' in result ? result.errors : this.#checkRecord(result);
    if (errors.length === 0) return;
    this.#invalidCount++;
    this.#errors.add(errors);
  }

  /** Stages the record if it is valid. */
  #checkRecord(read: ReadRecord): readonly RecordError[] {
    const { line, column, value } = read;
    const parsed = parseRecord(value, line, this.#options);
    let errors: readonly RecordError[];
    if ('errors' in parsed) errors = parsed.errors;
    else {
      const record = this.#options.sourced?.strip(parsed.record) ?? parsed.record;
      errors = this.#distinct.findErrors(record, line);
      if (errors.length === 0) this.#staged.push({ line, column, record });
    }
    return this.#errors.isFull ? errors : errors.map((error) => locate(error, read));
  }

  async #add(): Promise<void> {
    const staged = this.#staged;
    this.#staged = [];
    await this.#batch.add(staged);
  }
}

function lineOf(result: ReadResult): number {
  return 'errors' in result ? result.errors[0]!.line : result.line;
}

function locate({ field, reason }: RecordError, record: ReadRecord): RecordError {
  const { line, column } = (field === undefined ? undefined : record.positionOf(field)) ?? record;
  return { line, column, field, reason };
}

/** The first hundred errors of a body by position, and the number of all. */
class RecordErrors {
  #errors: RecordError[] = [];
  #total = 0;

  /** Whether further errors are only counted, so that their position does not matter. */
  get isFull(): boolean {
    return this.#errors.length === limits.maxReportedErrors;
  }

  /** Adds the errors of the next record. */
  add(errors: readonly RecordError[]): void {
    this.#total += errors.length;
    const room = limits.maxReportedErrors - this.#errors.length;
    if (room > 0) this.#errors.push(...errors.toSorted(byPosition).slice(0, room).map(shortenField));
  }

  merge({ total, errors }: BatchErrors): void {
    this.#total += total;
    this.#errors = [...this.#errors, ...errors].sort(byPosition).slice(0, limits.maxReportedErrors);
  }

  /** `stoppedAtLine` if the rest of the body was not read. */
  toError(stoppedAtLine?: number): RosterError {
    return invalidRecords(this.#errors, this.#total, stoppedAtLine);
  }
}

/** The name of an unknown field may be as long as a record. */
function shortenField(error: RecordError): RecordError {
  return error.field === undefined ? error : { ...error, field: shorten(error.field) };
}

function byPosition(a: RecordError, b: RecordError): number {
  return a.line - b.line || (a.column ?? 0) - (b.column ?? 0);
}
