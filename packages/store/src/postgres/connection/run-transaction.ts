import { RosterError } from '@roster/contract';
import type { ClientBase, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { isRetryable, isSqlError, leavesConnectionSound } from './translate-error.ts';

const maxAttempts = 4;

/** A commit that takes longer is abandoned, its outcome unknown. */
const commitTimeoutMs = 60_000;

/**
 * Commits what `body` did, or rolls it back when it resolves to undefined or anything throws. A transaction
 * that PostgreSQL aborted because of others runs again, so `body` must keep no state between runs.
 */
export async function runTransaction<T extends NonNullable<unknown> | undefined>(
  client: ClientBase,
  body: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
    try {
      const result = await body();
      if (result === undefined) await rollBack(client);
      else await commit(client);
      return result;
    } catch (error) {
      if (leavesConnectionSound(error)) await rollBack(client);
      if (attempt === maxAttempts || !isRetryable(error)) throw error;
    }
  }
}

/** Runs `body` read-only in one state of the database. */
export async function runSnapshot<T>(client: ClientBase, body: () => Promise<T>): Promise<T> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const result = await body();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    if (leavesConnectionSound(error)) await rollBack(client);
    throw error;
  }
}

/** Throwing would hide the first error, and a lost connection is rolled back anyway. */
async function rollBack(client: ClientBase): Promise<void> {
  await client.query('ROLLBACK').catch(() => undefined);
}

async function commit(client: ClientBase): Promise<void> {
  await queryOnce(client, { text: 'COMMIT' });
}

/** Runs a statement that commits: if the connection is lost meanwhile, its outcome is unknown. */
export async function queryOnce<Row extends QueryResultRow>(
  client: ClientBase,
  query: QueryConfig,
): Promise<QueryResult<Row>> {
  try {
    return await client.query<Row>({ ...query, query_timeout: commitTimeoutMs } as QueryConfig);
  } catch (error) {
    if (isSqlError(error)) throw error;
    throw new RosterError(
      'store_unavailable',
      'the connection to the database was lost during the commit, so it is not known whether this write was ' +
        'kept; read the station before you repeat it',
      { extensions: { outcome: 'unknown' }, cause: error },
    );
  }
}
