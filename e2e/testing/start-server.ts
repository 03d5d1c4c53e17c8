import { onTestFinished } from 'vitest';
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
  const settings = {
    ROSTER_HOST: '127.0.0.1',
    ROSTER_PORT: '0',
    ROSTER_DATA: data,
    ROSTER_SAMPLE: 'false',
    ROSTER_LOG_LEVEL: 'warn',
    ROSTER_AUTH: 'off',
    ROSTER_ALLOWED_HOSTS: 'roster',
    ROSTER_AUDIT_FILE: '/dev/null',
    ...options.environment,
  };
  const process = new RosterProcess(settings, options.launcher);
  onTestFinished(async () => {
    if (!process.hasExited) await process.kill();
  });
  return { process, data };
}

/** Runs the server on a free port and resolves once it has greeted. */
export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
  const { process, data } = spawnServer(options);
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
