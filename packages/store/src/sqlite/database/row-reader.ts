import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { dataDamaged } from '@roster/contract';
import type { TypeDefaults } from '../../shared/direct/merge-record.ts';
import type { StationRows, StoredRow } from '../../shared/direct/station-rows.ts';
import { resourceColumns, toResource } from '../../shared/resource-columns.ts';
import type { StationRow } from '../../shared/stations.ts';
import { checksumOfValues, separator } from './row-checksums.ts';

export interface SqliteRow extends StoredRow {
  readonly createdRevision: number;
  /** The checksum of its texts. */
  readonly texts: number;
}

type Row = readonly (string | number)[];

/**
 * Reads single rows with statements that are prepared once. Checksums are computed here: a call from SQLite back into
 * JavaScript takes longer than the checksum.
 */
export class RowReader {
  readonly #byId: StatementSync;
  readonly #byName: StatementSync;
  readonly #findType: StatementSync;

  constructor(db: DatabaseSync) {
    const inArrays = (sql: string) => {
      const statement = db.prepare(sql);
      statement.setReturnArrays(true);
      return statement;
    };
    const select = `SELECT id, revision, created_revision, checksum, ${resourceColumns} FROM resources WHERE station_id = ?`;
    this.#byId = inArrays(`${select} AND resource_id = ?`);
    this.#byName = inArrays(`${select} AND name = ?`);
    this.#findType = db.prepare('SELECT product, alertable FROM resource_types WHERE key = ?');
  }

  /** The rows of a station as a write meets them. */
  of({ id: stationId }: StationRow): StationRows<SqliteRow> {
    return {
      byId: (resourceId) => readRow(stationId, this.#byId.get(stationId, resourceId)),
      byName: (name) => readRow(stationId, this.#byName.get(stationId, name)),
      defaultsOf: (typeKey) => this.#defaultsOf(typeKey),
    };
  }

  #defaultsOf(typeKey: string): TypeDefaults | undefined {
    const row = this.#findType.get(typeKey) as { product: string; alertable: number } | undefined;
    return row && { product: row.product, alertable: row.alertable === 1 };
  }
}

/** Throws `data_damaged` for a row that is not what was written. */
function readRow(stationId: number, found: unknown): SqliteRow | undefined {
  if (found === undefined) return undefined;
  const [id, revision, createdRevision, checksum, ...values] = found as [
    number,
    number,
    number,
    number,
    ...Row,
  ];
  const texts = checksumOfTexts(values);
  if (checksum !== checksumOfValues(texts, [stationId, revision, createdRevision])) {
    throw dataDamaged('the station');
  }
  return { id, revision, createdRevision, texts, resource: toResource(values) };
}

/** The lower part of a checksum. */
export function checksumOfTexts(values: Row): number {
  return crc32(values.join(separator));
}
