import type { ClientBase } from 'pg';
import { storeUnavailable } from '../../shared/store-errors.ts';

const oldestVersion = 150_000;

/** What a server reports about itself on every new connection. */
export interface ServerState {
  readonly version: number;
  readonly version_text: string;
  readonly standby: boolean;
  readonly synchronous_commit: string;
  readonly fsync: string;
  readonly encoding: string;
  /** The cluster and its timeline, which a restore or a promotion changes. */
  readonly lineage: string;
  /** Changes whenever the server is restarted. */
  readonly started_at: string;
}

/**
 * Any role may ask this, on versions 15 to 18. The timeline comes from the log being written, because that of
 * the last checkpoint lags behind a promotion.
 */
const inspectSql = `
  SELECT
    current_setting('server_version_num')::int AS version,
    current_setting('server_version') AS version_text,
    pg_is_in_recovery() AS standby,
    current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('fsync') AS fsync,
    current_setting('server_encoding') AS encoding,
    (SELECT system_identifier FROM pg_control_system()) || ':' ||
      CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS lineage,
    extract(epoch FROM pg_postmaster_start_time())::text AS started_at
`;

export async function inspectServer(client: ClientBase): Promise<ServerState> {
  const { rows } = await client.query<ServerState>(inspectSql);
  return rows[0]!;
}

/** Throws `store_unavailable` when the guarantees cannot be kept on this server. */
export function requireUsable(state: ServerState, server: string): void {
  const problem = problemOf(state);
  if (problem) throw storeUnavailable(`PostgreSQL at ${server} ${problem}`);
}

function problemOf(state: ServerState): string | undefined {
  if (state.version < oldestVersion) {
    return `has version ${state.version_text}; Roster needs 15 or newer`;
  }
  if (state.standby) return 'is a standby; connect to the primary';
  if (state.synchronous_commit === 'off') {
    return (
      'acknowledges writes that a crash can lose: synchronous_commit is off, for the server, the database ' +
      'or this user; set it to on'
    );
  }
  if (state.fsync === 'off') {
    return 'acknowledges writes that a power failure can lose: fsync is off; set it to on';
  }
  if (state.encoding !== 'UTF8') {
    return `keeps text in ${state.encoding}; create the database with ENCODING 'UTF8' TEMPLATE template0`;
  }
  return undefined;
}

const tables = [
  'meta',
  'stations',
  'revisions',
  'resources',
  'past_versions',
  'alerting',
  'resource_types',
  'tokens',
] as const;
const privileges = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const;
const readPrivileges = ['SELECT'] as const;

/** Throws `store_unavailable` with the privileges this user lacks. */
export async function requirePrivileges(
  client: ClientBase,
  server: string,
  { readOnly }: { readonly readOnly: boolean },
): Promise<void> {
  const { rows } = await client.query<{ wanted: string }>(
    `SELECT format('%s ON %s', p, t) AS wanted
     FROM unnest($1::text[]) AS t, unnest($2::text[]) AS p
     WHERE NOT has_table_privilege(t, p)
     UNION ALL
     SELECT format('TEMPORARY ON DATABASE %I', current_database())
     WHERE NOT $3 AND NOT has_database_privilege(current_database(), 'TEMPORARY')`,
    [tables, readOnly ? readPrivileges : privileges, readOnly],
  );
  if (rows.length === 0) return;
  const wanted = rows.map((row) => row.wanted).join(', ');
  throw storeUnavailable(`PostgreSQL at ${server} does not grant this user ${wanted}`);
}
