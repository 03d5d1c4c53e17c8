import { invalidRecords, limits, type RecordFault, type RosterError, shorten } from '@roster/contract';
import type { BatchFaults } from '@roster/engine';

/** The faults of a body by line and column: the first hundred, and how many there are in all. */
export class FaultList {
  #faults: RecordFault[] = [];
  #total = 0;

  /** Whether faults are only counted from here on, so that nobody needs to know their place. */
  get isFull(): boolean {
    return this.#faults.length === limits.maxReportedFaults;
  }

  /** The faults of one record, all of which stand behind those of the records before it. */
  add(faults: readonly RecordFault[]): void {
    this.#total += faults.length;
    const room = limits.maxReportedFaults - this.#faults.length;
    if (room > 0) this.#faults.push(...faults.toSorted(byPlace).slice(0, room).map(shortenField));
  }

  merge(more: BatchFaults): void {
    this.#total += more.total;
    this.#faults = [...this.#faults, ...more.faults].sort(byPlace).slice(0, limits.maxReportedFaults);
  }

  /** `stoppedAtLine` where the rest of the body was not read. */
  toError(stoppedAtLine?: number): RosterError {
    return invalidRecords(this.#faults, this.#total, stoppedAtLine);
  }
}

/** The name of an unknown field may be as long as a record. */
function shortenField(fault: RecordFault): RecordFault {
  return fault.field === undefined ? fault : { ...fault, field: shorten(fault.field) };
}

function byPlace(a: RecordFault, b: RecordFault): number {
  return a.line - b.line || (a.column ?? 0) - (b.column ?? 0);
}
