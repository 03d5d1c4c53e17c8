import type { DatabaseSync } from 'node:sqlite';
import { dataDamaged, type ResourceType, type TypeCondition } from '@roster/contract';
import { requireTypeCondition, type TypeCatalog } from '@roster/engine';
import { type SeenTypes, seenType } from '../../shared/seen-types.ts';
import { typeInUse } from '../../shared/store-errors.ts';
import { countWrite } from './meta-table.ts';
import { asInteger } from './resource-columns.ts';
import { isSound, rowChecksum, textsChecksum } from './row-checksums.ts';
import { runTransaction } from './run-transaction.ts';

/** Types put and keys deleted, and the catalog revision this made. */
export interface CatalogChange {
  readonly revision: number;
  readonly types: readonly ResourceType[];
  readonly deleted: readonly string[];
  /** As in `TypeCatalog`, after the change. */
  readonly isDamaged: boolean;
}

interface TypeRow {
  readonly key: string;
  readonly labels: string;
  readonly product: string;
  readonly alertable: number;
}

const selectTypes = 'SELECT key, labels, product, alertable FROM resource_types';

export function loadCatalog(db: DatabaseSync): TypeCatalog {
  const sound = `${selectTypes} WHERE checksum = ${rowChecksum('resource_types')}`;
  const rows = db.prepare(sound).all() as unknown as TypeRow[];
  const types = rows.map((row): [string, ResourceType] => [row.key, readType(row)]);
  return { revision: catalogRevision(db), isDamaged: rows.length !== typeCount(db), types: new Map(types) };
}

function readType({ key, labels, product, alertable }: TypeRow): ResourceType {
  return { key, labels: JSON.parse(labels), product, alertable: alertable === 1 };
}

function findType(db: DatabaseSync, key: string): ResourceType | undefined {
  const row = db.prepare(`${selectTypes} WHERE key = ? AND ${isSound('resource_types')}`).get(key) as
    | TypeRow
    | undefined;
  return row && readType(row);
}

const typeValues = `?1, ?2, ?3, ${asInteger('?4')}`;
const insertType = `
  INSERT INTO resource_types (key, labels, product, alertable, checksum)
  VALUES (${typeValues}, ${textsChecksum(typeValues)})
`;

export function putTypes(
  db: DatabaseSync,
  types: readonly ResourceType[],
  condition: TypeCondition | undefined,
): CatalogChange {
  return runTransaction(db, () => {
    requireAllTypes(db);
    if (condition) for (const { key } of types) requireTypeCondition(key, findType(db, key), condition);
    const put = db.prepare(
      `${insertType} ON CONFLICT DO UPDATE SET
         labels = excluded.labels, product = excluded.product, alertable = excluded.alertable,
         checksum = excluded.checksum`,
    );
    for (const { key, labels, product, alertable } of types) {
      put.run(key, JSON.stringify(labels), product, Number(alertable));
    }
    return { ...advanceCatalog(db), types, deleted: [] };
  });
}

/** Undefined when there is no such type. */
export function deleteType(
  db: DatabaseSync,
  key: string,
  condition: TypeCondition | undefined,
): CatalogChange | undefined {
  return runTransaction(db, () => {
    requireAllTypes(db);
    const known = findType(db, key);
    if (known === undefined) return undefined;
    requireTypeCondition(key, known, condition);
    requireUnused(db, key);
    db.prepare('DELETE FROM resource_types WHERE key = ?').run(key);
    return { ...advanceCatalog(db), types: [], deleted: [key] };
  });
}

/** The keys missing from the catalog, sorted. */
export function unknownTypes(db: DatabaseSync, seen: ReadonlyMap<string, unknown>): string[] {
  return [...seen.keys()].filter((key) => !hasType(db, key)).sort();
}

/** Adds the missing types of a batch, in its transaction. */
export function addSeenTypes(db: DatabaseSync, seen: SeenTypes): CatalogChange | undefined {
  const added = unknownTypes(db, seen).map((key) => seenType(seen, key));
  if (added.length === 0) return undefined;
  requireAllTypes(db);
  const insert = db.prepare(insertType);
  for (const { key, labels, product, alertable } of added) {
    insert.run(key, JSON.stringify(labels), product, Number(alertable));
  }
  return { ...advanceCatalog(db), types: added, deleted: [] };
}

function hasType(db: DatabaseSync, key: string): boolean {
  return db.prepare('SELECT 1 FROM resource_types WHERE key = ?').get(key) !== undefined;
}

/** Scans all resources: an index used this rarely would slow down every import. */
function requireUnused(db: DatabaseSync, key: string): void {
  const row = db.prepare('SELECT count(*) AS count FROM resources WHERE type_key = ?').get(key);
  const { count } = row as { count: number };
  if (count > 0) throw typeInUse(key, count);
}

/** Throws `data_damaged` if types are missing, before a change would make that permanent. */
function requireAllTypes(db: DatabaseSync): void {
  if (countTypes(db) !== typeCount(db)) throw dataDamaged('the catalog of resource types');
}

function advanceCatalog(db: DatabaseSync): Pick<CatalogChange, 'revision' | 'isDamaged'> {
  countWrite(db);
  db.exec("UPDATE meta SET value = value + 1 WHERE key = 'catalog_revision'");
  db.prepare("UPDATE meta SET value = ? WHERE key = 'type_count'").run(String(countTypes(db)));
  return { revision: catalogRevision(db), isDamaged: hasDamagedTypes(db) };
}

function hasDamagedTypes(db: DatabaseSync): boolean {
  const sql = `SELECT 1 FROM resource_types WHERE checksum <> ${rowChecksum('resource_types')} LIMIT 1`;
  return db.prepare(sql).get() !== undefined;
}

function catalogRevision(db: DatabaseSync): number {
  return readNumber(db, 'catalog_revision');
}

function typeCount(db: DatabaseSync): number {
  return readNumber(db, 'type_count');
}

function countTypes(db: DatabaseSync): number {
  return (db.prepare('SELECT count(*) AS count FROM resource_types').get() as { count: number }).count;
}

function readNumber(db: DatabaseSync, key: string): number {
  const row = db.prepare('SELECT value FROM meta WHERE key = ?').get(key) as { value: string } | undefined;
  return Number(row?.value);
}
