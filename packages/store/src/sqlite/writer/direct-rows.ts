import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { dataDamaged, type Resource, type StationAddress, stationNotFound } from '@roster/contract';
import type { PlannedWrite, StationState } from '../../shared/direct/direct-write.ts';
import { isSameResource } from '../../shared/direct/merge-record.ts';
import type { RowChange, StationRows } from '../../shared/direct/station-rows.ts';
import { resourceColumnNames, resourceColumns } from '../../shared/resource-columns.ts';
import {
  addressColumns,
  addressValues,
  type StationRow,
  type StoredStation,
  stationColumns,
  toStation,
} from '../../shared/stations.ts';
import { checksumOfValues } from '../database/row-checksums.ts';
import { checksumOfTexts, RowReader, type SqliteRow } from '../database/row-reader.ts';

export interface FoundStation extends StationRow {
  readonly address: StationAddress;
}

/** Writes single rows with statements that are prepared once, and reads what it writes over. */
export class DirectRows {
  readonly #findStation: StatementSync;
  readonly #updateStation: StatementSync;
  readonly #insertRevision: StatementSync;
  readonly #countWrites: StatementSync;
  readonly #rows: RowReader;
  readonly #keep: StatementSync;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  readonly #updateState: StatementSync;
  readonly #rename: StatementSync;
  readonly #remove: StatementSync;

  constructor(db: DatabaseSync) {
    const isAt = addressColumns.map((column) => `${column} = ?`).join(' AND ');
    this.#findStation = db.prepare(`SELECT ${stationColumns}, checksum FROM stations WHERE ${isAt}`);
    this.#updateStation = db.prepare(
      'UPDATE stations SET revision = ?, rev_id = ?, counts = ?, checksum = ? WHERE id = ?',
    );
    this.#insertRevision = db.prepare(
      `INSERT INTO revisions (station_id, revision, rev_id, committed_ms, changes, versions, changed_by, checksum)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#countWrites = db.prepare("UPDATE meta SET value = value + CAST(? AS INTEGER) WHERE key = 'writes'");
    this.#rows = new RowReader(db);
    // A conflict rolls the transaction back, which saves a journal of the statement.
    this.#keep = db.prepare(
      `INSERT OR ROLLBACK INTO past_versions
         (station_id, revision, id, until_revision, removed, created_revision, checksum, ${resourceColumns})
       SELECT station_id, revision, id, ?, ?, created_revision, ?, ${resourceColumns} FROM resources WHERE id = ?`,
    );
    this.#insert = db.prepare(
      `INSERT INTO resources (station_id, revision, created_revision, checksum, ${resourceColumns})
       VALUES (?, ?, ?, ?, ${placeholders})`,
    );
    // SQLite writes an index again if one of its columns is assigned, the same value or not.
    const updating = (columns: readonly string[]) =>
      db.prepare(
        `UPDATE resources SET ${[...columns, 'revision', 'checksum'].join(' = ?, ')} = ? WHERE id = ?`,
      );
    this.#update = updating(updatedColumns);
    this.#updateState = updating(['state', 'state_since']);
    this.#rename = db.prepare('UPDATE resources SET name = ? WHERE id = ?');
    this.#remove = db.prepare('DELETE FROM resources WHERE id = ?');
  }

  station(address: StationAddress): FoundStation {
    const row = this.#findStation.get(...addressValues(address)) as
      | (StoredStation & { checksum: number })
      | undefined;
    if (row === undefined) throw stationNotFound(address);
    const station = { ...toStation(row), address };
    const counts = row.counts as string;
    if (row.checksum !== stationChecksum(address, station, counts)) throw dataDamaged('the station');
    return station;
  }

  /** The rows of a station as a write meets them. */
  of(station: StationRow): StationRows<SqliteRow> {
    return this.#rows.of(station);
  }

  /** Writes the rows of one revision. */
  write({ id: stationId }: StationRow, { head, changes, changedBy }: PlannedWrite<SqliteRow>): void {
    const revision = head.number;
    for (const { before, after } of changes) {
      if (before !== undefined) this.#end(stationId, before, { revision, removed: after === undefined });
      if (before !== undefined && after === undefined) this.#remove.run(before.id);
    }
    this.#putNames(changes);
    for (const { before, after } of changes) if (after) this.#put({ stationId, revision }, before, after);
    const nowMs = Date.now();
    const versions = changes.filter(({ after }) => after !== undefined).length;
    this.#insertRevision.run(
      stationId,
      revision,
      head.revId,
      nowMs,
      changes.length,
      versions,
      changedBy ?? null,
      checksumOfValues(checksumOfTexts(changedBy === undefined ? [head.revId] : [head.revId, changedBy]), [
        stationId,
        revision,
        nowMs,
        changes.length,
        versions,
      ]),
    );
  }

  /** Writes where a station is after some revisions. */
  writeStation(station: FoundStation, { head, counts }: StationState): void {
    const text = JSON.stringify(counts);
    const checksum = stationChecksum(station.address, { ...station, head }, text);
    this.#updateStation.run(head.number, head.revId, text, checksum, station.id);
  }

  /** Must run in every transaction that hands out revisions. */
  countWrites(revisions: number): void {
    this.#countWrites.run(revisions);
  }

  #end(
    stationId: number,
    { id, revision: began, createdRevision, texts }: SqliteRow,
    { revision, removed }: { revision: number; removed: boolean },
  ): void {
    const numbers = [stationId, began, id, revision, Number(removed), createdRevision];
    this.#keep.run(revision, Number(removed), checksumOfValues(texts, numbers), id);
  }

  /** Names are set aside first, so that they can change hands. Records allow no control characters. */
  #putNames(changes: readonly RowChange<SqliteRow>[]): void {
    const renamed = changes.filter(
      ({ before, after }) =>
        before !== undefined && after !== undefined && before.resource.name !== after.name,
    );
    if (renamed.length > 1)
      for (const { before } of renamed) this.#rename.run(`\x01${before!.id}`, before!.id);
    for (const { before, after } of renamed) this.#rename.run(after!.name, before!.id);
  }

  #put(
    { stationId, revision }: { stationId: number; revision: number },
    before: SqliteRow | undefined,
    after: Resource,
  ): void {
    const values = toValues(after);
    const numbers = [stationId, revision, before?.createdRevision ?? revision];
    const checksum = checksumOfValues(checksumOfTexts(values), numbers);
    if (before === undefined) this.#insert.run(...numbers, checksum, ...values);
    else if (isSameBesideState(before.resource, after)) {
      this.#updateState.run(after.state, after.stateSinceMs, revision, checksum, before.id);
    } else this.#update.run(...values.slice(2), revision, checksum, before.id);
  }
}

const placeholders = resourceColumnNames.map(() => '?').join(', ');
/** All but the id and the name. */
const updatedColumns = resourceColumnNames.slice(2);

function isSameBesideState(before: Resource, after: Resource): boolean {
  const { state, stateSinceMs } = after;
  return isSameResource({ ...before, state, stateSinceMs }, after);
}

function toValues(resource: Resource): (string | number)[] {
  return [
    resource.resourceId,
    resource.name,
    resource.displayName,
    resource.typeKey,
    resource.product,
    Number(resource.alertable),
    resource.state,
    resource.sku,
    resource.gpuModel,
    resource.alertRulesCount,
    resource.createTime,
    resource.stateSinceMs,
    resource.labels,
  ];
}

function stationChecksum(address: StationAddress, station: StationRow, counts: string): number {
  const { id, head, oldestRevision } = station;
  const texts = [...addressValues(address), head.epoch, head.revId, counts];
  return checksumOfValues(checksumOfTexts(texts), [id, head.number, oldestRevision]);
}
