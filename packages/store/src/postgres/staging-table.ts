import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { stagedColumns } from './copy-text.ts';

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

const copySql = `COPY staged (${stagedColumns.join(', ')}) FROM STDIN`;

/** Below this many rows the planner's guess is good enough, and asking for statistics costs more than it gives. */
const rowsWorthAnalyzing = 1_000;

/** Up to here rows are deleted one by one, which leaves the system catalogs alone. */
const rowsWorthTruncating = 1_000;

/** Appends lines of COPY's text format. */
export async function stageLines(client: ClientBase, lines: string): Promise<void> {
  await pipeline([Buffer.from(lines)], client.query(copyFrom(copySql)));
}

/** To be called when all records are staged, before they are compared with anything. */
export async function analyzeStaged(client: ClientBase, count: number): Promise<void> {
  if (count >= rowsWorthAnalyzing) await client.query('ANALYZE staged');
}

export async function clearStaged(client: ClientBase, count: number): Promise<void> {
  await client.query(count >= rowsWorthTruncating ? 'TRUNCATE staged' : 'DELETE FROM staged');
}
