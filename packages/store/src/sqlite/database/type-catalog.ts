import type { DatabaseSync } from 'node:sqlite';
import { dataDamaged, type ResourceType, type VersionCondition } from '@roster/contract';
import { requireTypeCondition, type TypeCatalog } from '@roster/engine/port';
import { type SeenTypes, seenType } from '../../shared/batches.ts';
import { typeInUse } from '../../shared/store-errors.ts';
import { countWrite, readMeta } from './meta-table.ts';
import { asInteger } from './resource-columns.ts';
import { isSound, rowChecksum, textsChecksum } from './row-checksums.ts';
import { getRow, getRows, hasRow } from './rows.ts';
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
  const rows = getRows<TypeRow>(db, sound);
  const types = rows.map((row): [string, ResourceType] => [row.key, readType(row)]);
  return {
    revision: Number(readMeta(db, 'catalog_revision')),
    isDamaged: rows.length !== expectedTypes(db),
    types: new Map(types),
  };
}

function readType({ key, labels, product, alertable }: TypeRow): ResourceType {
  return { key, labels: JSON.parse(labels), product, alertable: alertable === 1 };
}

function findType(db: DatabaseSync, key: string): ResourceType | undefined {
  const row = getRow<TypeRow>(db, `${selectTypes} WHERE key = ? AND ${isSound('resource_types')}`, key);
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
  condition: VersionCondition | undefined,
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
  condition: VersionCondition | undefined,
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
  const isKnown = (key: string) => hasRow(db, 'SELECT 1 FROM resource_types WHERE key = ?', key);
  return [...seen.keys()].filter((key) => !isKnown(key)).sort();
}

/** Adds the missing types of a batch, in its transaction. */
export function addSeenTypes(db: DatabaseSync, seen: SeenTypes): CatalogChange | undefined {
  const added = unknownTypes(db, seen).map((key) => seenType(seen, key));
  return added.length === 0 ? undefined : addTypes(db, added);
}

/** Adds types that are not in the catalog, in the caller's transaction. Throws before it changes anything. */
export function addTypes(db: DatabaseSync, types: readonly ResourceType[]): CatalogChange {
  requireAllTypes(db);
  const insert = db.prepare(insertType);
  for (const { key, labels, product, alertable } of types) {
    insert.run(key, JSON.stringify(labels), product, Number(alertable));
  }
  return { ...advanceCatalog(db), types, deleted: [] };
}

/** Scans all resources: an index used this rarely would slow down every import. */
function requireUnused(db: DatabaseSync, key: string): void {
  const sql = 'SELECT count(*) AS count FROM resources WHERE type_key = ?';
  const { count } = getRow<{ count: number }>(db, sql, key)!;
  if (count > 0) throw typeInUse(key, count);
}

/** Throws `data_damaged` if types are missing, before a change would make that permanent. */
function requireAllTypes(db: DatabaseSync): void {
  if (countTypes(db) !== expectedTypes(db)) throw dataDamaged('the catalog of resource types');
}

function advanceCatalog(db: DatabaseSync): Pick<CatalogChange, 'revision' | 'isDamaged'> {
  countWrite(db);
  db.exec("UPDATE meta SET value = value + 1 WHERE key = 'catalog_revision'");
  db.prepare("UPDATE meta SET value = ? WHERE key = 'type_count'").run(String(countTypes(db)));
  const damaged = `SELECT 1 FROM resource_types WHERE checksum <> ${rowChecksum('resource_types')} LIMIT 1`;
  return { revision: Number(readMeta(db, 'catalog_revision')), isDamaged: hasRow(db, damaged) };
}

/** How many types there should be. */
function expectedTypes(db: DatabaseSync): number {
  return Number(readMeta(db, 'type_count'));
}

function countTypes(db: DatabaseSync): number {
  return getRow<{ count: number }>(db, 'SELECT count(*) AS count FROM resource_types')!.count;
}
