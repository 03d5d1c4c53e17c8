import pg, { type ClientBase } from 'pg';
import { storeUnavailable } from '../../shared/store-errors.ts';
import { sessionConfig } from './connection-pool.ts';
import { inspectServer, requireUsable } from './inspect-server.ts';
import { type DatabaseAddress, InvalidDatabaseUrl, parseDatabaseUrl } from './parse-database-url.ts';
import { translateError } from './translate-error.ts';

const connectMs = 10_000;
/** Long enough for a migration, or to wait for another node's. */
const statementTimeoutMs = 60 * 60_000;

/** Throws `store_unavailable` without repeating the URL, which may hold a password. */
export function requireDatabaseUrl(url: string): DatabaseAddress {
  try {
    return parseDatabaseUrl(url);
  } catch (error) {
    if (!(error instanceof InvalidDatabaseUrl)) throw error;
    throw storeUnavailable(`the URL of the database ${error.message}`);
  }
}

/** Runs `work` on a separate connection to a usable server, before there is a store. */
export async function useOneSession<T>(
  { config, server }: DatabaseAddress,
  work: (client: ClientBase) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(sessionConfig({ config, server, waitMs: connectMs, statementTimeoutMs }));
  client.on('error', () => undefined);
  try {
    await client.connect();
    requireUsable(await inspectServer(client), server);
    return await work(client);
  } catch (error) {
    throw translateError(error, server);
  } finally {
    await client.end().catch(() => undefined);
  }
}
