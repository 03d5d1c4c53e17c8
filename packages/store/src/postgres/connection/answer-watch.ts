import pg, { type Client, type ClientBase, type ClientConfig } from 'pg';

const lookEveryMs = 5_000;

/**
 * A network can lose a connection silently. Callers would then wait for the full statement timeout and block
 * everyone who needs the same station. So we ask on a new connection, every few seconds, what the server is
 * doing for us. If it has been waiting for us all along, the connection is ended.
 */
export class AnswerWatch {
  readonly #config: ClientConfig;
  readonly #processIds = new WeakMap<ClientBase, number>();

  constructor(config: ClientConfig) {
    this.#config = config;
  }

  /** Call it once per connection to watch. */
  async introduce(client: ClientBase): Promise<void> {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    this.#processIds.set(client, rows[0]!.pid);
  }

  /** Runs work that consists only of statements, so the server never waits for us for long. */
  async run<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
    let waitingSince: string | undefined;
    let isDone = false;
    const look = async () => {
      const before = waitingSince;
      waitingSince = await this.#serverWaitsSince(client).catch(() => undefined);
      // By now the connection may do other work.
      if (isDone || waitingSince === undefined || waitingSince !== before) return;
      // While a statement runs, this cuts the connection.
      await (client as Client).end();
    };
    const timer = setInterval(() => void look(), lookEveryMs);
    timer.unref();
    try {
      return await work();
    } finally {
      isDone = true;
      clearInterval(timer);
    }
  }

  /** Undefined while the server is working. */
  async #serverWaitsSince(client: ClientBase): Promise<string | undefined> {
    const other = new pg.Client(this.#config);
    other.on('error', () => undefined);
    try {
      await other.connect();
      const { rows } = await other.query<SessionState>(stateSql, [this.#processIds.get(client)]);
      if (!rows[0]) return 'the session has ended';
      return rows[0].waits ? rows[0].since : undefined;
    } finally {
      await other.end().catch(() => undefined);
    }
  }
}

interface SessionState {
  readonly waits: boolean;
  readonly since: string;
}

const stateSql = `
  SELECT state <> 'active' OR coalesce(wait_event = 'ClientRead', false) AS waits, state_change::text AS since
  FROM pg_stat_activity WHERE pid = $1
`;
