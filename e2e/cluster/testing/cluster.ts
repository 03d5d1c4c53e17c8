import { FaultProxy } from '@roster/store/fault-proxy';
import type { PostgresServer } from '@roster/store/postgres-server';
import { type RunningServer, startServer } from '../../testing/start-server.ts';

const requestTimeoutMs = 20_000;

/** One node, which reaches its database through a proxy of its own. Restarts give it another address. */
export class ClusterNode {
  readonly proxy: FaultProxy;
  readonly #databaseUrl: string;
  #server: RunningServer | undefined;
  #log = '';

  constructor(proxy: FaultProxy, databaseUrl: string) {
    this.proxy = proxy;
    this.#databaseUrl = databaseUrl;
  }

  get server(): RunningServer {
    return this.#server!;
  }

  /** What it and those before it have logged. */
  get log(): string {
    return this.#log + this.server.process.stderr;
  }

  async start(port = '0'): Promise<void> {
    const environment = {
      ROSTER_PORT: port,
      ROSTER_DATA: '',
      ROSTER_DATABASE_URL: this.proxy.url(this.#databaseUrl),
      ROSTER_DATABASE_POOL: '8',
      // On a slow day nodes shall be slow, and not turn anyone away.
      ROSTER_LIMITS_LAG_MS: '0',
    };
    const server = await startServer({ environment });
    this.#log += this.#server?.process.stderr ?? '';
    this.#server = { ...server, fetch: (path, init) => server.fetch(path, withTimeout(init)) };
  }
}

/** Nodes on one database, until the end of the test. */
export class Cluster implements AsyncDisposable {
  readonly nodes: readonly ClusterNode[];
  /** Without any proxy. */
  readonly databaseUrl: string;

  private constructor(nodes: readonly ClusterNode[], databaseUrl: string) {
    this.nodes = nodes;
    this.databaseUrl = databaseUrl;
  }

  static async start(postgres: PostgresServer, count: number): Promise<Cluster> {
    const url = await postgres.createDatabase();
    const newNode = async () => new ClusterNode(await FaultProxy.start(postgres.port), url);
    const nodes = await Promise.all(Array.from({ length: count }, newNode));
    await Promise.all(nodes.map((node) => node.start()));
    return new Cluster(nodes, url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.map(({ server }) => server.process.kill()));
    await Promise.all(this.nodes.map(({ proxy }) => proxy[Symbol.asyncDispose]()));
  }
}

function withTimeout(init: RequestInit = {}): RequestInit {
  return init.signal ? init : { ...init, signal: AbortSignal.timeout(requestTimeoutMs) };
}
