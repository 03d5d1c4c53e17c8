import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { RawConnection } from './raw-connection.ts';
import { RosterProcess } from './roster-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export interface StartOptions {
  /** A new directory for this test unless given. */
  readonly data?: string;
  readonly environment?: Record<string, string>;
  readonly launcher?: readonly string[];
}

export interface RunningServer {
  readonly process: RosterProcess;
  readonly url: string;
  readonly data: string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  connect(): Promise<RawConnection>;
}

/** Runs the server without waiting for anything. Whatever becomes of the test, it is gone afterwards. */
export function spawnServer(options: StartOptions = {}): { process: RosterProcess; data: string } {
  const data = options.data ?? temporaryDirectory();
  const process = launch(data, options);
  onTestFinished(async () => {
    if (!process.hasExited) await process.kill();
  });
  return { process, data };
}

/** Runs the server, on a free port unless one is given, and resolves once it has greeted. */
export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
  for (let attempt = 0; ; attempt++) {
    const { process, data } = spawnServer(options);
    try {
      return await whenGreeted(process, data);
    } catch (error) {
      // Where a server comes back, a connection of another program may have its port for a moment.
      if (attempt === 50 || !/:\d+ is in use/.test(process.stderr)) throw error;
      await sleep(200);
    }
  }
}

/** One server for all tests of a file. */
export function shareServer(environment: Record<string, string> = {}): () => RunningServer {
  const data = mkdtempSync(join(tmpdir(), 'roster-e2e-'));
  let process: RosterProcess;
  let server: RunningServer;
  beforeAll(async () => {
    process = launch(data, { environment });
    server = await whenGreeted(process, data);
  });
  afterAll(async () => {
    await process.kill();
    rmSync(data, { recursive: true, force: true });
  });
  return () => server;
}

function launch(data: string, { environment, launcher }: StartOptions): RosterProcess {
  const settings = {
    ROSTER_HOST: '127.0.0.1',
    ROSTER_PORT: '0',
    ROSTER_DATA: data,
    ROSTER_SAMPLE: 'false',
    ROSTER_LOG_LEVEL: 'warn',
    ROSTER_AUTH: 'off',
    ROSTER_ALLOWED_HOSTS: 'roster',
    ROSTER_AUDIT_FILE: '/dev/null',
    // A machine that is busy with other tests is late by itself, and nobody shall be turned away for that.
    ROSTER_LIMITS_LAG_MS: '10000',
    ...environment,
  };
  return new RosterProcess(settings, launcher);
}

async function whenGreeted(process: RosterProcess, data: string): Promise<RunningServer> {
  const { origin, hostname, port } = await process.address();
  return {
    process,
    url: origin,
    data,
    fetch: (path, init) => fetch(`${origin}${path}`, init),
    async connect() {
      const connection = await RawConnection.open(hostname, Number(port));
      onTestFinished(() => connection.destroy());
      return connection;
    },
  };
}
