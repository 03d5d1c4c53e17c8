import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ListQuery, StationAddress } from '@roster/contract';
import { buildListSql } from './build-list-sql.ts';

const columns =
  'resource_id, create_time, sku, state, display_name, alert_rules_count, name, gpu_model, type_key';

export interface ResourceRow {
  readonly resource_id: string;
  readonly create_time: string;
  readonly sku: string;
  readonly state: string;
  readonly display_name: string;
  readonly alert_rules_count: number;
  readonly name: string;
  readonly gpu_model: string;
  readonly type_key: string;
}

/** Answers list queries in SQL: filter, order, LIMIT and OFFSET over an index, COUNT in a second statement. */
export class ResourceLister {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  findStation(address: StationAddress): number | undefined {
    const row = this.#prepare(
      'SELECT station_id FROM stations WHERE subscription = ? AND resource_group = ? AND zone = ? AND name = ?',
    ).get(address.subscription, address.resourceGroup, address.zone, address.name);
    return row?.station_id as number | undefined;
  }

  typeLabels(): Map<string, string> {
    const rows = this.#prepare('SELECT key, label FROM resource_types').all();
    return new Map(rows.map((row) => [row.key as string, row.label as string]));
  }

  count(stationId: number, query: ListQuery): number {
    const { where, values } = buildListSql(stationId, query);
    const row = this.#prepare(`SELECT count(*) AS total FROM resources WHERE ${where}`).get(...values);
    return row!.total as number;
  }

  list(stationId: number, query: ListQuery): ResourceRow[] {
    const { where, values } = buildListSql(stationId, query);
    const { offset, size } = query.page ?? { offset: 0, size: -1 };
    const order = 'ORDER BY display_name, resource_id';
    return this.#prepare(
      `SELECT ${columns} FROM resources WHERE rowid IN ` +
        `(SELECT rowid FROM resources WHERE ${where} ${order} LIMIT ? OFFSET ?) ${order}`,
    ).all(...values, size, offset) as unknown as ResourceRow[];
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
