import type { RosterError } from '@roster/contract';
import pg, { type ClientBase, type ClientConfig, type Pool, type PoolClient } from 'pg';
import { storeClosed, storeUnavailable } from '../../shared/store-errors.ts';
import { isConnectionLost, leavesConnectionSound, translateError } from './translate-error.ts';

/** For this long after its last use a connection is assumed to be alive. */
const trustedIdleMs = 500;
const soundTimeoutMs = 2_000;

export interface PoolOptions {
  readonly config: ClientConfig;
  readonly server: string;
  readonly max: number;
  /** How long to wait for a connection, new or released by others. */
  readonly waitMs: number;
  readonly statementTimeoutMs: number;
  /** The pool's user enforces its own deadline on a server that does not answer. */
  readonly hasOwnDeadline?: boolean;
  readonly lockTimeoutMs?: number;
  /** How long a transaction may be idle before the server ends it. */
  readonly idleInTransactionMs?: number;
  readonly settings?: Readonly<Record<string, string>>;
  /** Runs on every new connection, before it is used. */
  admit(client: ClientBase): Promise<void>;
}

/** A connection taken from a pool, to be given back once. */
export interface Lease {
  readonly client: PoolClient;
  /** With the error that ended its use, if any: a connection that may be broken is closed. */
  giveBack(error?: unknown): void;
}

/** A bounded pool of connections for one kind of work. It throws only Roster's own errors. */
export class ConnectionPool {
  readonly #pool: Pool;
  readonly #server: string;
  readonly #taken = new Set<PoolClient>();
  readonly #usedAtMs = new WeakMap<PoolClient, number>();

  constructor(options: PoolOptions) {
    this.#server = options.server;
    this.#pool = new pg.Pool({
      ...sessionConfig(options),
      max: options.max,
      connectionTimeoutMillis: options.waitMs,
      idleTimeoutMillis: 60_000,
      // A lost connection shows in the next query. Without a listener the event would end the process.
      onConnect: async (client: ClientBase) => {
        client.on('error', () => undefined);
        await options.admit(client);
      },
    });
    this.#pool.on('error', () => undefined);
  }

  async take(): Promise<Lease> {
    const client = await this.#takeSound();
    return {
      client,
      giveBack: (error) => {
        if (!this.#taken.delete(client)) return;
        this.#usedAtMs.set(client, performance.now());
        client.release(error !== undefined && !leavesConnectionSound(error));
      },
    };
  }

  async use<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const lease = await this.take();
    try {
      const result = await work(lease.client);
      lease.giveBack();
      return result;
    } catch (error) {
      lease.giveBack(error);
      throw translateError(error, this.#server);
    }
  }

  /** Like `use`, but retries once on a lost connection; for work that changes nothing. */
  async read<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    try {
      return await this.use(work);
    } catch (error) {
      if (!isConnectionLost((error as Error).cause)) throw error;
      return this.use(work);
    }
  }

  /** Cuts connections still in use, and those taken too late. */
  async close(): Promise<void> {
    for (const client of this.#taken) client.release(true);
    this.#taken.clear();
    await this.#pool.end();
  }

  /** An idle connection may be dead, so it has to answer first. */
  async #takeSound(): Promise<PoolClient> {
    for (;;) {
      const client = await this.#pool.connect().catch((error: unknown) => {
        throw this.#translate(error);
      });
      if (this.#pool.ending) {
        client.release(true);
        throw storeClosed();
      }
      this.#taken.add(client);
      const usedAtMs = this.#usedAtMs.get(client);
      if (usedAtMs === undefined || performance.now() - usedAtMs < trustedIdleMs) return client;
      const answer = client.query({ text: 'SELECT', query_timeout: soundTimeoutMs } as { text: string });
      const isSound = answer.then(() => true).catch(() => false);
      if (await isSound) return client;
      if (this.#taken.delete(client)) client.release(true);
    }
  }

  #translate(error: unknown): RosterError {
    const isBusy = error instanceof Error && error.message === 'timeout exceeded when trying to connect';
    if (!isBusy) return translateError(error, this.#server);
    return storeUnavailable('all connections to the database are in use; try again later');
  }
}

/** The server's timeouts come first; the client's are for a server that does not answer at all. */
export function sessionConfig(options: Omit<PoolOptions, 'max' | 'admit'>): ClientConfig {
  const { statementTimeoutMs, settings = {} } = options;
  const flags = Object.entries({ jit: 'off', ...settings }).map(([name, value]) => `-c ${name}=${value}`);
  return {
    ...options.config,
    application_name: 'roster',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: options.waitMs,
    statement_timeout: statementTimeoutMs,
    ...(!options.hasOwnDeadline && { query_timeout: statementTimeoutMs + 1_000 }),
    ...(options.lockTimeoutMs && { lock_timeout: options.lockTimeoutMs }),
    ...(options.idleInTransactionMs && { idle_in_transaction_session_timeout: options.idleInTransactionMs }),
    options: flags.join(' '),
    types: { getTypeParser },
  };
}

const bigint = pg.types.builtins.INT8;

/** Our numbers stay below 2^53. */
const getTypeParser: typeof pg.types.getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === bigint ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser;
