import type { Store, TypeCatalog } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import { Announcements } from '../shared/announcements.ts';
import { maxDirectRecords } from '../shared/direct/direct-write.ts';
import type { SchemaChange } from '../shared/schema-version.ts';
import { AnswerWatch } from './connection/answer-watch.ts';
import { ConnectionPool, sessionConfig } from './connection/connection-pool.ts';
import { requirePrivileges } from './connection/inspect-server.ts';
import {
  type DatabaseAddress,
  defaultConnections,
  fewestConnections,
} from './connection/parse-database-url.ts';
import { requireDatabaseUrl, useOneSession } from './connection/use-one-session.ts';
import { OtherNodes } from './heads/follow-other-nodes.ts';
import { HeadQuestions } from './heads/head-questions.ts';
import { KnownStations } from './heads/known-stations.ts';
import { LineageCheck } from './heads/lineage-check.ts';
import { PostgresStore } from './postgres-store.ts';
import { migrate, requireMigrated } from './schema/migrations.ts';
import { loadCatalog } from './schema/type-catalog.ts';
import { stagingTables } from './write/staging-table.ts';

const second = 1_000;
const minute = 60 * second;

export interface PostgresStoreOptions {
  /** Such as `postgres://user:password@host:5432/database?sslmode=verify-full`. */
  readonly url: string;
  /** How many connections this node may have in all. */
  readonly connections?: number;
  /** How long asking for a station's head may take, 2 s by default. */
  readonly headTimeoutMs?: number;
  /** A batch of more records is staged. */
  readonly maxDirectRecords?: number;
  /** Changes nothing and accepts no writes. The data must be migrated. */
  readonly readOnly?: boolean;
}

/** Opens the store in a database. Throws `store_unavailable` with the reason. */
export async function createPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const address = requireDatabaseUrl(options.url);
  const { server } = address;
  const readOnly = options.readOnly ?? false;
  const known = new KnownStations();
  const admission = new LineageCheck({ server, known, readOnly });
  const catalog = await useOneSession(address, async (client) => {
    if (readOnly) await requireMigrated(client, server);
    else await migrate(client, server);
    await requirePrivileges(client, server, { readOnly });
    await admission.admit(client);
    return loadCatalog(client);
  });
  return assemble({ ...options, address, known, admission, catalog });
}

/** Migrates a database, even beside running nodes. Throws `store_unavailable` with the reason. */
export async function migratePostgresStore(options: { readonly url: string }): Promise<SchemaChange> {
  const address = requireDatabaseUrl(options.url);
  return useOneSession(address, (client) => migrate(client, address.server));
}

interface Assembly extends PostgresStoreOptions {
  readonly address: DatabaseAddress;
  readonly known: KnownStations;
  readonly admission: LineageCheck;
  readonly catalog: TypeCatalog;
}

/** Half of the connections read and half write, besides one that asks for heads and one that listens. */
function assemble(assembly: Assembly): Store {
  const { address, known, admission, catalog, headTimeoutMs = 2 * second, readOnly = false } = assembly;
  const { config, server } = address;
  const connections = Math.max(fewestConnections, assembly.connections ?? defaultConnections) - 2;
  const admit = (client: ClientBase) => admission.admit(client);
  const asking = { waitMs: headTimeoutMs, statementTimeoutMs: headTimeoutMs, hasOwnDeadline: true };
  const asker = new ConnectionPool({ config, server, max: 1, admit, ...asking });
  const looking = { waitMs: 5 * second, statementTimeoutMs: 5 * second };
  const answers = new AnswerWatch(sessionConfig({ config, server, ...looking }));
  const admitWatched = async (client: ClientBase) => {
    await admit(client);
    await answers.introduce(client);
  };
  const readers = new ConnectionPool({
    config,
    server,
    ...reading,
    max: Math.floor(connections / 2),
    admit: admitWatched,
  });
  const writers = new ConnectionPool({
    config,
    server,
    ...writing,
    max: Math.ceil(connections / 2),
    admit: async (client) => {
      await admitWatched(client);
      await client.query(stagingTables);
    },
  });
  const questions = new HeadQuestions(
    { pool: asker, known, server, timeoutMs: headTimeoutMs, readOnly },
    catalog,
  );
  const announcements = new Announcements();
  const listening = sessionConfig({ config, server, ...reading });
  const otherNodes = new OtherNodes({ config: listening, admit, known, questions, announcements });
  return new PostgresStore({
    server,
    maxDirectRecords: assembly.maxDirectRecords ?? maxDirectRecords,
    readOnly,
    readers,
    writers,
    answers,
    questions,
    known,
    announcements,
    notifyNodes: (stationId) => otherNodes.notify(stationId),
    close: async () => {
      await otherNodes.close();
      await Promise.all([asker.close(), readers.close(), writers.close()]);
    },
  });
}

/** An abandoned feed keeps PostgreSQL from vacuuming, so it is ended eventually. */
const reading = { waitMs: 10 * second, statementTimeoutMs: minute, idleInTransactionMs: 5 * minute };

/**
 * Large batches are sorted and joined in memory. An idle transaction belongs to a node that is gone and
 * blocks writes to its station.
 */
const writing = {
  waitMs: 30 * second,
  statementTimeoutMs: 15 * minute,
  lockTimeoutMs: 30 * second,
  idleInTransactionMs: 15 * second,
  settings: { work_mem: '64MB', temp_buffers: '64MB', default_statistics_target: '10' },
};
