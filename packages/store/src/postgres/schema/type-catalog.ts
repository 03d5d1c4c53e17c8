import type { ResourceType, VersionCondition } from '@roster/contract';
import { requireTypeCondition, type TypeCatalog, typeMismatch } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import { type SeenTypes, seenType } from '../../shared/batches.ts';
import { typeInUse } from '../../shared/store-errors.ts';
import { isSound, rowChecksum } from './row-checksums.ts';

/** One statement, so the types match the revision. */
export async function loadCatalog(client: ClientBase): Promise<TypeCatalog> {
  type Row = { revision: number; sound: boolean } & { [Field in keyof ResourceType]: never };
  const { rows } = await client.query<Row>(
    `SELECT m.value::bigint AS revision, t.checksum = ${rowChecksum('resource_types', 't')} AS sound,
       t.key, t.labels, t.product, t.alertable
     FROM meta m LEFT JOIN resource_types t ON true
     WHERE m.key = 'catalog_revision'`,
  );
  const types = rows
    .filter(({ sound }) => sound)
    .map(({ revision: _, sound: __, ...type }): [string, ResourceType] => [type.key, type]);
  return {
    revision: rows[0]!.revision,
    isDamaged: rows.some(({ sound }) => sound === false),
    types: new Map(types),
  };
}

/** Returns the catalog's new revision. Runs in the caller's transaction. */
export async function putTypes(
  client: ClientBase,
  types: readonly ResourceType[],
  condition: VersionCondition | undefined,
): Promise<number> {
  const last = [...new Map(types.map((type) => [type.key, type])).values()];
  if (condition === 'absent') await addTypes(client, last);
  else {
    if (condition) {
      for (const { key } of last) {
        requireTypeCondition(key, await lockType(client, key, 'NO KEY UPDATE'), condition);
      }
    }
    await insertTypes(client, last, {
      onConflict: `(key) DO UPDATE SET
        labels = excluded.labels, product = excluded.product, alertable = excluded.alertable`,
    });
  }
  return advanceCatalog(client);
}

/** Throws `type_mismatch` if any of them exists, even one that another writer adds at the same time. */
async function addTypes(client: ClientBase, types: readonly ResourceType[]): Promise<void> {
  const added = new Set(await insertTypes(client, types, { onConflict: 'DO NOTHING' }));
  const taken = types.find(({ key }) => !added.has(key));
  if (taken !== undefined) throw typeMismatch(taken.key, true);
}

/** Locks the type until the transaction ends. `UPDATE` also waits for writers that use it. */
async function lockType(
  client: ClientBase,
  key: string,
  strength: 'NO KEY UPDATE' | 'UPDATE',
): Promise<ResourceType | undefined> {
  const { rows } = await client.query<ResourceType>(
    `SELECT key, labels, product, alertable FROM resource_types
     WHERE key = $1 AND ${isSound('resource_types')} FOR ${strength}`,
    [key],
  );
  return rows[0];
}

/** Whether there was such a type. Runs in the caller's transaction. */
export async function deleteType(
  client: ClientBase,
  key: string,
  condition: VersionCondition | undefined,
): Promise<boolean> {
  // Writers lock each type they use until they commit, so the count cannot miss one.
  const known = await lockType(client, key, 'UPDATE');
  if (known === undefined) return false;
  requireTypeCondition(key, known, condition);
  const { rows } = await client.query<{ count: number }>(
    'SELECT count(*) AS count FROM resources WHERE type_key = $1',
    [key],
  );
  if (rows[0]!.count > 0) throw typeInUse(key, rows[0]!.count);
  await client.query('DELETE FROM resource_types WHERE key = $1', [key]);
  await advanceCatalog(client);
  return true;
}

/** The keys missing from the catalog, sorted. */
export async function unknownTypes(client: ClientBase, seen: SeenTypes): Promise<string[]> {
  return missing(seen, await selectTypes(client, seen, ''));
}

/**
 * Adds the missing types of a batch, and protects all its types from deletion until its transaction ends.
 * Returns what was added, sorted.
 */
export async function addSeenTypes(client: ClientBase, seen: SeenTypes): Promise<string[]> {
  const added: string[] = [];
  for (;;) {
    const unknown = missing(seen, await selectTypes(client, seen, 'ORDER BY key FOR KEY SHARE'));
    if (unknown.length === 0) break;
    const types = unknown.map((key) => seenType(seen, key));
    const inserted = await insertTypes(client, types, { onConflict: 'DO NOTHING' });
    added.push(...inserted);
    // If another writer was faster, its types must be locked too.
    if (inserted.length === unknown.length) break;
  }
  if (added.length > 0) await advanceCatalog(client);
  return added.sort();
}

async function selectTypes(client: ClientBase, seen: SeenTypes, lock: string): Promise<Set<string>> {
  const { rows } = await client.query<{ key: string }>(
    `SELECT key FROM resource_types WHERE key = ANY($1) ${lock}`,
    [[...seen.keys()]],
  );
  return new Set(rows.map(({ key }) => key));
}

function missing(seen: SeenTypes, known: ReadonlySet<string>): string[] {
  return [...seen.keys()].filter((key) => !known.has(key)).sort();
}

/** In key order, which avoids deadlocks between writers. Returns the keys written. */
async function insertTypes(
  client: ClientBase,
  types: readonly ResourceType[],
  { onConflict }: { onConflict: string },
): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    `INSERT INTO resource_types (key, labels, product, alertable)
     SELECT key, labels, product, alertable
     FROM unnest($1::text[], $2::jsonb[], $3::text[], $4::boolean[]) AS t (key, labels, product, alertable)
     ORDER BY key COLLATE "C"
     ON CONFLICT ${onConflict}
     RETURNING key`,
    [
      types.map(({ key }) => key),
      types.map(({ labels }) => JSON.stringify(labels)),
      types.map(({ product }) => product),
      types.map(({ alertable }) => alertable),
    ],
  );
  return rows.map(({ key }) => key);
}

async function advanceCatalog(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ revision: number }>(
    `UPDATE meta SET value = (value::bigint + 1)::text WHERE key = 'catalog_revision'
     RETURNING value::bigint AS revision`,
  );
  return rows[0]!.revision;
}
