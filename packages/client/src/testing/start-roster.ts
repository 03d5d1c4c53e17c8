import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { greetedUrl } from '../../../../testing/greeted-url.ts';

const mainFile = fileURLToPath(new URL('../../../server/bin/roster-server.js', import.meta.url));

export interface RunningRoster {
  readonly url: string;
  stop(): Promise<void>;
}

/** The real server, in its own process and directory. The caller must stop it. */
export async function startRoster(settings: Record<string, string> = {}): Promise<RunningRoster> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'roster-client-'));
  const child = spawn(process.execPath, [mainFile], {
    env: {
      ...withoutSettings(process.env),
      ROSTER_PORT: '0',
      ROSTER_DATA: directory,
      ROSTER_LOG_LEVEL: 'error',
      ROSTER_AUTH: 'off',
      ROSTER_AUDIT_FILE: '/dev/null',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  return {
    url: await greetedUrl(child),
    async stop() {
      process.off('exit', kill);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true });
    },
  };
}

/** Keeps the user's settings from the server. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('ROSTER_')));
}
