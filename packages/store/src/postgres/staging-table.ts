import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { copiedColumns } from './copy-text.ts';

/** Tables of the session, which no other sees, and which take no part in the write-ahead log. */
export const stagingTables = `
  CREATE TEMP TABLE staged (
    position bigint, line bigint, column_number bigint, alert_rules_count bigint, alertable boolean,
    resource_id text COLLATE "C", name text COLLATE "C", display_name text COLLATE "C",
    type_key text COLLATE "C", product text COLLATE "C", state text COLLATE "C", sku text COLLATE "C",
    gpu_model text COLLATE "C", create_time text COLLATE "C"
  );
  CREATE TEMP TABLE changing (position bigint, updates boolean, renames boolean) ON COMMIT DELETE ROWS;
  CREATE TEMP TABLE leaving (resource_id text COLLATE "C") ON COMMIT DELETE ROWS;
`;

const copySql = `COPY staged (${copiedColumns.join(', ')}) FROM STDIN`;

/** From here on statistics cost less than they give, and rows are better thrown away all at once. */
const largeBatch = 300;

/** Appends lines of COPY's text format. */
export async function stageLines(client: ClientBase, lines: string): Promise<void> {
  await pipeline([Buffer.from(lines)], client.query(copyFrom(copySql)));
}

/**
 * To be called when all records are staged, before they are compared with anything. Only what is joined by counts,
 * and a small sample of it tells enough; all columns took a tenth of an import.
 */
export async function analyzeStaged(client: ClientBase, count: number): Promise<void> {
  if (count >= largeBatch) await client.query('ANALYZE staged (position, resource_id, name)');
}

/**
 * Without statistics the planner takes a few staged rows for thousands, and would rather read the whole station
 * than look them up. Holds until the caller's transaction ends.
 */
export async function preferLookups(client: ClientBase, count: number): Promise<void> {
  if (count >= largeBatch) return;
  await client.query(
    'SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_seqscan = off',
  );
}

export async function clearStaged(client: ClientBase, count: number): Promise<void> {
  await client.query(count >= largeBatch ? 'TRUNCATE staged' : 'DELETE FROM staged');
}
