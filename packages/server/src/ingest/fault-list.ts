import { invalidRecords, limits, type RecordFault, type RosterError } from '@roster/contract';
import type { BatchFaults } from '@roster/engine';

/** The faults of a body in line order: the first hundred, and how many there are in all. */
export class FaultList {
  #faults: RecordFault[] = [];
  #total = 0;

  get total(): number {
    return this.#total;
  }

  add(...faults: readonly RecordFault[]): void {
    this.#total += faults.length;
    for (const fault of faults) if (this.#faults.length < limits.maxReportedFaults) this.#faults.push(fault);
  }

  merge(more: BatchFaults): void {
    this.#total += more.total;
    this.#faults = [...this.#faults, ...more.faults]
      .sort((a, b) => a.line - b.line)
      .slice(0, limits.maxReportedFaults);
  }

  toError(): RosterError {
    return invalidRecords(this.#faults, this.#total);
  }
}
