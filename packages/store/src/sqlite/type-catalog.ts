import type { DatabaseSync } from 'node:sqlite';
import { defaultLocale, type ResourceType } from '@roster/contract';
import type { TypeCatalog } from '@roster/engine';
import { runTransaction } from './run-transaction.ts';

/** Types that were added or relabelled, with the catalog revision that this made. */
export interface CatalogChange {
  readonly revision: number;
  readonly types: readonly ResourceType[];
}

export function loadCatalog(db: DatabaseSync): TypeCatalog {
  const rows = db.prepare('SELECT key, labels FROM resource_types').all() as {
    key: string;
    labels: string;
  }[];
  const types = rows.map(({ key, labels }): [string, ResourceType] => [
    key,
    { key, labels: JSON.parse(labels) },
  ]);
  return { revision: catalogRevision(db), types: new Map(types) };
}

export function putTypes(db: DatabaseSync, types: readonly ResourceType[]): CatalogChange {
  return runTransaction(db, () => {
    const put = db.prepare(
      'INSERT INTO resource_types VALUES (?, ?) ON CONFLICT DO UPDATE SET labels = excluded.labels',
    );
    for (const { key, labels } of types) put.run(key, JSON.stringify(labels));
    return { revision: advanceCatalog(db), types };
  });
}

/** Adds the types of a batch that the catalog does not have yet. Runs inside the batch's transaction. */
export function addSeenTypes(
  db: DatabaseSync,
  labelByKey: ReadonlyMap<string, string | undefined>,
): CatalogChange | undefined {
  const insert = db.prepare('INSERT INTO resource_types VALUES (?, ?) ON CONFLICT DO NOTHING');
  const added: ResourceType[] = [];
  for (const [key, label] of labelByKey) {
    const labels: Record<string, string> = label === undefined ? {} : { [defaultLocale]: label };
    if (insert.run(key, JSON.stringify(labels)).changes === 1) added.push({ key, labels });
  }
  return added.length === 0 ? undefined : { revision: advanceCatalog(db), types: added };
}

function advanceCatalog(db: DatabaseSync): number {
  db.exec("UPDATE meta SET value = value + 1 WHERE key = 'catalog_revision'");
  return catalogRevision(db);
}

function catalogRevision(db: DatabaseSync): number {
  const row = db.prepare("SELECT value FROM meta WHERE key = 'catalog_revision'").get();
  return Number((row as { value: string }).value);
}
