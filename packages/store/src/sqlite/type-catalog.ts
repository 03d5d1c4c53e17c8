import type { DatabaseSync } from 'node:sqlite';
import type { ResourceType, TypeCondition } from '@roster/contract';
import { requireTypeCondition, type TypeCatalog } from '@roster/engine';
import { type SeenTypes, seenType } from '../shared/seen-types.ts';
import { typeInUse } from '../shared/store-errors.ts';
import { runTransaction } from './run-transaction.ts';

/** Types that were put and keys that were deleted, with the catalog revision that this made. */
export interface CatalogChange {
  readonly revision: number;
  readonly types: readonly ResourceType[];
  readonly deleted: readonly string[];
}

export interface TypesToPut {
  readonly types: readonly ResourceType[];
  readonly condition: TypeCondition | undefined;
}

export interface TypeToDelete {
  readonly key: string;
  readonly condition: TypeCondition | undefined;
}

interface TypeRow {
  readonly key: string;
  readonly labels: string;
  readonly product: string;
  readonly alertable: number;
}

const selectTypes = 'SELECT key, labels, product, alertable FROM resource_types';

export function loadCatalog(db: DatabaseSync): TypeCatalog {
  const rows = db.prepare(selectTypes).all() as unknown as TypeRow[];
  const types = rows.map((row): [string, ResourceType] => [row.key, readType(row)]);
  return { revision: catalogRevision(db), types: new Map(types) };
}

function readType({ key, labels, product, alertable }: TypeRow): ResourceType {
  return { key, labels: JSON.parse(labels), product, alertable: alertable === 1 };
}

function findType(db: DatabaseSync, key: string): ResourceType | undefined {
  const row = db.prepare(`${selectTypes} WHERE key = ?`).get(key) as TypeRow | undefined;
  return row && readType(row);
}

const insertType = 'INSERT INTO resource_types (key, labels, product, alertable) VALUES (?, ?, ?, ?)';

export function putTypes(db: DatabaseSync, { types, condition }: TypesToPut): CatalogChange {
  return runTransaction(db, () => {
    if (condition) for (const { key } of types) requireTypeCondition(key, findType(db, key), condition);
    const put = db.prepare(
      `${insertType} ON CONFLICT DO UPDATE SET
         labels = excluded.labels, product = excluded.product, alertable = excluded.alertable`,
    );
    for (const { key, labels, product, alertable } of types) {
      put.run(key, JSON.stringify(labels), product, Number(alertable));
    }
    return { revision: advanceCatalog(db), types, deleted: [] };
  });
}

/** Undefined when there is no such type. */
export function deleteType(db: DatabaseSync, { key, condition }: TypeToDelete): CatalogChange | undefined {
  return runTransaction(db, () => {
    const known = findType(db, key);
    if (known === undefined) return undefined;
    requireTypeCondition(key, known, condition);
    requireUnused(db, key);
    db.prepare('DELETE FROM resource_types WHERE key = ?').run(key);
    return { revision: advanceCatalog(db), types: [], deleted: [key] };
  });
}

/** The keys that the catalog does not have yet, in order. */
export function unknownTypes(db: DatabaseSync, seen: ReadonlyMap<string, unknown>): string[] {
  return [...seen.keys()].filter((key) => !hasType(db, key)).sort();
}

/** Adds the types of a batch that the catalog does not have yet. Runs inside the batch's transaction. */
export function addSeenTypes(db: DatabaseSync, seen: SeenTypes): CatalogChange | undefined {
  const added = unknownTypes(db, seen).map((key) => seenType(seen, key));
  if (added.length === 0) return undefined;
  const insert = db.prepare(insertType);
  for (const { key, labels, product, alertable } of added) {
    insert.run(key, JSON.stringify(labels), product, Number(alertable));
  }
  return { revision: advanceCatalog(db), types: added, deleted: [] };
}

function hasType(db: DatabaseSync, key: string): boolean {
  return db.prepare('SELECT 1 FROM resource_types WHERE key = ?').get(key) !== undefined;
}

/** Reads all resources: an index that is needed this rarely would slow down every import. */
function requireUnused(db: DatabaseSync, key: string): void {
  const row = db.prepare('SELECT count(*) AS count FROM resources WHERE type_key = ?').get(key);
  const { count } = row as { count: number };
  if (count > 0) throw typeInUse(key, count);
}

function advanceCatalog(db: DatabaseSync): number {
  db.exec("UPDATE meta SET value = value + 1 WHERE key = 'catalog_revision'");
  return catalogRevision(db);
}

function catalogRevision(db: DatabaseSync): number {
  const row = db.prepare("SELECT value FROM meta WHERE key = 'catalog_revision'").get();
  return Number((row as { value: string }).value);
}
