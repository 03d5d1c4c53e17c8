import type { DatabaseSync } from 'node:sqlite';
import { RosterError, stationKey, stationNotFound } from '@roster/contract';
import type { StationCounts, WriteResult } from '@roster/engine/port';
import {
  changesOf,
  type DirectWrite,
  planWrite,
  type StationState,
} from '../../shared/direct/direct-write.ts';
import type { StationChanges } from '../../shared/station-changes.ts';
import { runTransaction } from '../database/run-transaction.ts';
import { addTypes, type CatalogChange } from '../database/type-catalog.ts';
import { DirectRows, type FoundStation } from './direct-rows.ts';

export interface WrittenDirectly {
  readonly result: WriteResult;
  readonly counts: StationCounts;
  readonly catalog: CatalogChange | undefined;
  readonly changes: StationChanges;
}

/** What became of one write. */
export type WriteOutcome = { readonly written: WrittenDirectly } | { readonly error: unknown };

/** A station in the transaction, as the writes so far have left it. */
interface OpenStation {
  readonly row: FoundStation;
  state: StationState;
}

/**
 * Writes what has queued up in one transaction, because making it durable takes longer than the writes themselves. Each
 * write is compared with the station before anything of it is written, so one that fails leaves no trace.
 */
export class SharedCommit {
  readonly #db: DatabaseSync;
  readonly #rows: DirectRows;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#rows = new DirectRows(db);
  }

  /** Durable when it returns. */
  run(writes: readonly DirectWrite[]): WriteOutcome[] {
    try {
      return runTransaction(this.#db, () => this.#writeAll(writes));
    } catch (error) {
      if (writes.length === 1) return [{ error }];
      // Something unforeseen about one of them must not keep the others from being written.
      return writes.flatMap((write) => this.run([write]));
    }
  }

  #writeAll(writes: readonly DirectWrite[]): WriteOutcome[] {
    const stations = new Map<string, OpenStation>();
    let revisions = 0;
    const outcomes = writes.map((write): WriteOutcome => {
      try {
        const written = this.#write(write, stations);
        if (written.result.head !== written.changes.since) revisions++;
        return { written };
      } catch (error) {
        if (error instanceof RosterError) return { error };
        throw error;
      }
    });
    if (revisions === 0) return outcomes;
    for (const { row, state } of stations.values()) {
      if (state.head !== row.head) this.#rows.writeStation(row, state);
    }
    this.#rows.countWrites(revisions);
    return outcomes;
  }

  #write(write: DirectWrite, stations: Map<string, OpenStation>): WrittenDirectly {
    const station = stations.getOrInsertComputed(stationKey(write.address), () => {
      const row = this.#rows.station(write.address);
      return { row, state: row };
    });
    const { row, state } = station;
    if (write.epoch !== undefined && write.epoch !== state.head.epoch) throw stationNotFound(write.address);
    const planned = planWrite(write, state, this.#rows.of(row));
    const { head, counts, changes, newTypes, result } = planned;
    const catalog = newTypes.length === 0 ? undefined : addTypes(this.#db, newTypes);
    if (changes.length > 0) this.#rows.write(row, planned);
    station.state = { head, counts };
    return { result, counts, catalog, changes: changesOf(state.head, planned) };
  }
}
