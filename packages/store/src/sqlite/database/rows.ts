import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** In order, or by name. */
type Values = SQLInputValue[] | [Readonly<Record<string, SQLInputValue>>];

/** The first row that a statement returns. */
export function getRow<Row>(db: DatabaseSync, sql: string, ...values: Values): Row | undefined {
  return db.prepare(sql).get(...(values as SQLInputValue[])) as Row | undefined;
}

export function getRows<Row>(db: DatabaseSync, sql: string, ...values: Values): Row[] {
  return db.prepare(sql).all(...(values as SQLInputValue[])) as Row[];
}

export function hasRow(db: DatabaseSync, sql: string, ...values: Values): boolean {
  return getRow(db, sql, ...values) !== undefined;
}
