import type { EarlyDefaults } from '../writer/commit-batch.ts';
import type { FlatRecords } from '../writer/flat-records.ts';
import type { ArrivingRows } from './arriving-rows.ts';

interface ImportHandoverOptions {
  /** From this many records on, the writer thread writes while they arrive. */
  readonly earlyFrom: number;
  /** Undefined if nobody wants the rows. */
  begin(defaults: EarlyDefaults): ArrivingRows | undefined;
}

/** Hands the records of a batch over to the index, if the writer thread writes them while they arrive. */
export class ImportHandover {
  readonly #options: ImportHandoverOptions;
  /** Written, or staged until the early write begins. */
  #held: FlatRecords[] = [];
  #count = 0;
  #rows: ArrivingRows | undefined;
  #isOver = false;

  constructor(options: ImportHandoverOptions) {
    this.#options = options;
  }

  /** Call it for all records with what the writer thread answered, in that order. Resolves when there is room for more. */
  async add(records: FlatRecords, early: EarlyDefaults | undefined): Promise<void> {
    if (this.#isOver) return;
    this.#count += records.count;
    this.#held.push(records);
    if (early === undefined) {
      if (this.#rows !== undefined || this.#count >= this.#options.earlyFrom) this.fail();
      return;
    }
    this.#rows ??= this.#options.begin(early);
    if (this.#rows === undefined) return this.fail();
    for (const held of this.#held.splice(0)) await this.#rows.add(held);
  }

  /** All records are committed as they were handed over. Returns the station that they make. */
  complete(size: number): ArrivingRows | undefined {
    this.#isOver = true;
    this.#rows?.complete(size);
    return this.#rows;
  }

  fail(): void {
    this.#isOver = true;
    this.#held = [];
    this.#rows?.fail();
  }
}
