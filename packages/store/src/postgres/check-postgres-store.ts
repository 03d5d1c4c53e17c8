import { stationPath } from '@roster/contract';
import pg, { type ClientBase } from 'pg';
import {
  type CheckOptions,
  type CheckResult,
  type Checks,
  Findings,
  runChecks,
  type StationToCheck,
} from '../check/run-checks.ts';
import { runSnapshot } from './connection/run-transaction.ts';
import { requireDatabaseUrl, useOneSession } from './connection/use-one-session.ts';
import { requireMigrated } from './schema/migrations.ts';
import { type CheckedTable, rowChecksum } from './schema/row-checksums.ts';

/** Verifies the data in a database. It only reads, and can run beside nodes. */
export async function checkPostgresStore(
  options: CheckOptions & { readonly url: string },
): Promise<CheckResult> {
  const address = requireDatabaseUrl(options.url);
  return useOneSession(address, async (client) => {
    await requireMigrated(client, address.server);
    const findings = new Findings();
    return runChecks(new PostgresChecks(client, findings), findings, options);
  });
}

class PostgresChecks implements Checks {
  readonly #client: ClientBase;
  readonly #findings: Findings;

  constructor(client: ClientBase, findings: Findings) {
    this.#client = client;
    this.#findings = findings;
  }

  async stations(): Promise<StationToCheck[]> {
    const { rows } = await this.#client.query(
      `SELECT id, subscription, resource_group AS "resourceGroup", zone, name,
         checksum = ${rowChecksum('stations')} AS sound, (counts ->> 'resources')::bigint AS size
       FROM stations ORDER BY address`,
    );
    return rows.map(({ id, sound, size, ...address }) => {
      const path = stationPath(address);
      if (!sound) this.#findings.add({ kind: 'station', station: path, damaged: 1 });
      return { id, size: sound ? size : null, path };
    });
  }

  /** The station may change meanwhile, so its size is read with its resources. */
  async resources({ id, size, path: station }: StationToCheck): Promise<number> {
    const where = `station_id = ${id}`;
    const { found, ids, expected } = await runSnapshot(this.#client, async () => ({
      found: await this.#count(`SELECT count(*) AS count FROM resources WHERE ${where}`),
      ids: await this.#damagedIn('resources', where, 'resource_id'),
      expected: await this.#count(
        `SELECT (counts ->> 'resources')::bigint AS count FROM stations WHERE id = ${id}`,
      ),
    }));
    const missing = size === null ? 0 : expected - found;
    this.#findings.add({ kind: 'resources', station, damaged: ids.length, missing, ids });
    return found;
  }

  async history({ id, path: station }: StationToCheck): Promise<number> {
    const where = `station_id = ${id}`;
    const ids = await this.#damagedIn('past_versions', where, 'resource_id');
    this.#findings.add({ kind: 'history', station, damaged: ids.length, ids });
    return this.#count(`SELECT count(*) AS count FROM past_versions WHERE ${where}`);
  }

  async types(): Promise<number> {
    const ids = await this.#damagedIn('resource_types', 'true', 'key');
    this.#findings.add({ kind: 'types', damaged: ids.length, ids });
    return this.#count('SELECT count(*) AS count FROM resource_types');
  }

  async #damagedIn(table: CheckedTable, where: string, column: string): Promise<string[]> {
    const { rows } = await this.#client.query<{ id: string }>(
      `SELECT ${column} AS id FROM ${table} WHERE ${where} AND checksum IS DISTINCT FROM ${rowChecksum(table)}`,
    );
    return rows.map(({ id }) => id);
  }

  async #count(sql: string): Promise<number> {
    return (await this.#client.query<{ count: number }>(sql)).rows[0]?.count ?? 0;
  }

  isDamage(error: unknown): boolean {
    return error instanceof pg.DatabaseError && error.code?.startsWith('XX') === true;
  }
}
