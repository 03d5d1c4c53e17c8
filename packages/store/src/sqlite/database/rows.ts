import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** In order, or by name. */
type Values = SQLInputValue[] | [Readonly<Record<string, SQLInputValue>>];

const maxKept = 64;
const kept = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** Preparing a statement takes longer than running it on one row, so the last ones of a connection are kept. */
function prepared(db: DatabaseSync, sql: string): StatementSync {
  const statements = kept.getOrInsertComputed(db, () => new Map());
  const statement = statements.get(sql) ?? db.prepare(sql);
  // The statement used last comes last.
  statements.delete(sql);
  statements.set(sql, statement);
  if (statements.size > maxKept) statements.delete(statements.keys().next().value!);
  return statement;
}

/** The first row that a statement returns. */
export function getRow<Row>(db: DatabaseSync, sql: string, ...values: Values): Row | undefined {
  return prepared(db, sql).get(...(values as SQLInputValue[])) as Row | undefined;
}

export function getRows<Row>(db: DatabaseSync, sql: string, ...values: Values): Row[] {
  return prepared(db, sql).all(...(values as SQLInputValue[])) as Row[];
}

export function hasRow(db: DatabaseSync, sql: string, ...values: Values): boolean {
  return getRow(db, sql, ...values) !== undefined;
}
