import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Workspace } from '../workspace.ts';
import { findFreePort } from './find-free-port.ts';

const program = fileURLToPath(new URL('../../../packages/server/bin/roster-server.js', import.meta.url));
const readyTimeoutMs = 60_000;
const pollMs = 10;
const keptOutput = 4000;

export interface StartRosterOptions {
  readonly workspace: Workspace;
  readonly dataDirectory: string;
  /** Additional settings. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A Roster server in its own process on its own data directory. */
export class RosterServer {
  readonly origin: string;
  /** When the process was started, on the clock of `performance.now()`. */
  readonly spawnedAtMs = performance.now();
  readonly #workspace: Workspace;
  readonly #child: ChildProcess;
  #output = '';

  private constructor(options: StartRosterOptions, port: number) {
    this.origin = `http://127.0.0.1:${port}`;
    this.#workspace = options.workspace;
    this.#child = options.workspace.spawn(process.execPath, [program], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ROSTER_HOST: '127.0.0.1',
        ROSTER_PORT: String(port),
        ROSTER_DATA: options.dataDirectory,
        ROSTER_SAMPLE: 'false',
        ROSTER_LOG_LEVEL: 'warn',
        ROSTER_AUTH: 'off',
        ROSTER_AUDIT_FILE: '/dev/null',
        ...options.environment,
      },
    });
    const keep = (chunk: Buffer) => {
      this.#output = `${this.#output}${chunk}`.slice(-keptOutput);
    };
    this.#child.stdout?.on('data', keep);
    this.#child.stderr?.on('data', keep);
  }

  /** Resolves when the server reports that it is ready. */
  static async start(options: StartRosterOptions): Promise<RosterServer> {
    const server = new RosterServer(options, await findFreePort());
    await server.#waitUntilReady();
    return server;
  }

  static isInstalled(): boolean {
    return existsSync(program);
  }

  /** The token that a server prints on its first start. */
  async firstToken(): Promise<string> {
    while (performance.now() - this.spawnedAtMs < readyTimeoutMs) {
      const [token] = /\broster_[0-9A-Za-z]{49}\b/.exec(this.#output) ?? [];
      if (token !== undefined) return token;
      await sleep(pollMs);
    }
    throw new Error(`Roster printed no token:\n${this.#output}`);
  }

  get processId(): number {
    return this.#child.pid!;
  }

  async stop(): Promise<void> {
    await this.#workspace.stop(this.#child);
  }

  async #waitUntilReady(): Promise<void> {
    while (performance.now() - this.spawnedAtMs < readyTimeoutMs) {
      if (this.#child.exitCode !== null) break;
      // Polling a server that does not listen yet would slow its start.
      if (this.#output.includes('is listening on') && (await this.#isReady())) return;
      await sleep(pollMs);
    }
    throw new Error(`Roster did not become ready at ${this.origin}:\n${this.#output}`);
  }

  async #isReady(): Promise<boolean> {
    const response = await fetch(`${this.origin}/readyz`);
    await response.arrayBuffer();
    return response.ok;
  }
}
