import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { PostgresServer } from '@roster/store/postgres-server';
import type { Workspace } from '../workspace.ts';
import { RosterServer } from './roster-server.ts';

/** A PostgreSQL as it comes, on a directory of its own, for the nodes of a run. */
export class BenchDatabase {
  readonly #workspace: Workspace;
  #postgres: PostgresServer | undefined;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  async start(): Promise<void> {
    const postgres = await PostgresServer.start();
    this.#postgres = postgres;
    process.once('exit', () => rmSync(dirname(postgres.directory), { recursive: true, force: true }));
  }

  async stop(): Promise<void> {
    await this.#postgres?.[Symbol.asyncDispose]();
  }

  /** Nodes on a new database. */
  async startNodes(count: number): Promise<RosterServer[]> {
    const environment = { ROSTER_DATABASE_URL: await this.#postgres!.createDatabase() };
    const start = () => RosterServer.start({ workspace: this.#workspace, dataDirectory: '', environment });
    return Promise.all(Array.from({ length: count }, start));
  }
}
