import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { greetedUrl } from '../../../../testing/greeted-url.ts';
import { cleanEnvironment, executable } from './run-roster.ts';

export interface RunningRoster {
  readonly url: string;
  /** Resolves to the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * `roster serve` on a free port, with the sample, and in a directory of its own unless one is given. Whoever starts it
 * stops it.
 */
export async function startRoster(
  environment: Record<string, string> = {},
  data?: string,
): Promise<RunningRoster> {
  const directory = data ?? mkdtempSync(path.join(os.tmpdir(), 'roster-cli-'));
  const words = ['serve', '--port', '0', '--data', directory, '--sample'];
  const child = spawn(process.execPath, [executable, ...words], {
    env: { ...cleanEnvironment(), ROSTER_LOG_LEVEL: 'error', ROSTER_AUDIT_FILE: '/dev/null', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  return {
    url: await greetedUrl(child),
    async stop(signal = 'SIGTERM') {
      process.off('exit', kill);
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      child.kill(signal);
      const code = await ended;
      if (data === undefined) rmSync(directory, { recursive: true });
      return code;
    },
  };
}
