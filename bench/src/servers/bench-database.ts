import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { PostgresServer } from '@roster/store/postgres-server';
import type { Workspace } from '../workspace.ts';
import { RosterServer } from './roster-server.ts';

export const databaseVias = ['tcp', 'socket'] as const;

export type DatabaseVia = (typeof databaseVias)[number];

/** PostgreSQL with default settings on its own directory, for the nodes of a run. */
export class BenchDatabase {
  readonly #workspace: Workspace;
  readonly #via: DatabaseVia;
  readonly #urls: string[] = [];
  #postgres: PostgresServer | undefined;

  constructor(workspace: Workspace, via: DatabaseVia) {
    this.#workspace = workspace;
    this.#via = via;
  }

  async start(): Promise<void> {
    const postgres = await PostgresServer.start();
    this.#postgres = postgres;
    process.once('exit', () => rmSync(dirname(postgres.directory), { recursive: true, force: true }));
  }

  async stop(): Promise<void> {
    await this.#postgres?.[Symbol.asyncDispose]();
  }

  /** Vacuums now, which PostgreSQL would otherwise do during a measurement. */
  async settle(): Promise<void> {
    for (const url of this.#urls) await this.#postgres!.query('VACUUM ANALYZE', url);
    await this.#postgres!.query('CHECKPOINT');
  }

  /** The URL of a new database. */
  async createDatabase(): Promise<string> {
    const url = await this.#postgres!.createDatabase();
    this.#urls.push(url);
    return this.#via === 'socket' ? this.#postgres!.bySocket(url) : url;
  }

  /** Nodes on a new database. */
  async startNodes(count: number): Promise<RosterServer[]> {
    const environment = { ROSTER_DATABASE_URL: await this.createDatabase() };
    const start = () => RosterServer.start({ workspace: this.#workspace, dataDirectory: '', environment });
    return Promise.all(Array.from({ length: count }, start));
  }
}
