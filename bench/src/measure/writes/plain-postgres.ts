import type { Resource } from '@roster/contract';
import pg from 'pg';
import { type PlainStore, plainColumns, plainValues } from './plain-store.ts';
import { parseChanges } from './state-changes.ts';

const columns = plainColumns.join(', ');
const rowsPerInsert = 1000;

/** One connection of `pg` without anything else: history, then `INSERT … ON CONFLICT`, in one transaction. */
export class PlainPostgres implements PlainStore {
  readonly #client: pg.Client;
  #revision = 1;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async connect(url: string): Promise<PlainPostgres> {
    const client = new pg.Client(url);
    await client.connect();
    await client.query(`
      CREATE TABLE plain_resources (
        resource_id text PRIMARY KEY, name text, display_name text, type_key text, product text, alertable integer,
        state text, sku text, gpu_model text, alert_rules_count bigint, create_time text, labels text, revision bigint
      );
      CREATE TABLE plain_history (LIKE plain_resources);
      ALTER TABLE plain_history ADD COLUMN until_revision bigint;
      CREATE INDEX ON plain_history (resource_id, until_revision);
    `);
    return new PlainPostgres(client);
  }

  async fill(resources: readonly Resource[]): Promise<void> {
    for (let from = 0; from < resources.length; from += rowsPerInsert) {
      const rows = resources.slice(from, from + rowsPerInsert).map(toRow);
      await this.#client.query(
        'INSERT INTO plain_resources SELECT * FROM jsonb_populate_recordset(NULL::plain_resources, $1)',
        [JSON.stringify(rows)],
      );
    }
  }

  async write(body: string): Promise<void> {
    const changes = parseChanges(body);
    const ids = changes.map((change) => change.resource_id);
    const states = changes.map((change) => change.state);
    const revision = ++this.#revision;
    await this.#client.query('BEGIN');
    await this.#client.query({ name: 'keep', text: keepSql, values: [revision, ids] });
    await this.#client.query({ name: 'put', text: putSql, values: [revision, ids, states] });
    await this.#client.query('COMMIT');
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}

const keepSql = `
  INSERT INTO plain_history (${columns}, revision, until_revision)
  SELECT ${columns}, revision, $1 FROM plain_resources WHERE resource_id = ANY ($2)`;

const putSql = `
  INSERT INTO plain_resources (resource_id, state, revision)
  SELECT id, state, $1 FROM unnest($2::text[], $3::text[]) AS changed (id, state)
  ON CONFLICT (resource_id) DO UPDATE SET state = excluded.state, revision = excluded.revision`;

function toRow(resource: Resource): Record<string, string | number> {
  const values = plainValues(resource);
  return Object.fromEntries([...plainColumns.map((column, at) => [column, values[at]!]), ['revision', 1]]);
}
