import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { freePort, monitoringNote, withMonitoring } from './testing/monitoring-program.ts';

const limitMs = 240_000;
const root = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const guide = readFileSync(root('docs/guide/live-list.md'), 'utf8');

/** The blocks of the guide in order, on free ports. */
async function script(): Promise<string> {
  const text = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join('\n');
  const ports = new Map<string, string>();
  for (const port of ['9101', '9102', '9093', '9090', '8080']) ports.set(port, String(await freePort()));
  // All at once: a free port may contain one of the others.
  return text.replace(/9101|9102|9093|9090|8080/g, (port) => ports.get(port)!);
}

/** Everything that the script has started belongs to its process group. */
async function endGroup(child: ChildProcess): Promise<void> {
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

withMonitoring(`the guide to a live list does what it says, block by block${monitoringNote}`, async () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'bin'));
  const command = join(directory, 'bin', 'roster');
  writeFileSync(
    command,
    `#!/bin/sh\nexec '${process.execPath}' '${root('packages/cli/bin/roster.js')}' "$@"\n`,
  );
  chmodSync(command, 0o755);
  const text = await script();
  const [port] = /(?<=port: )\d+/.exec(text)!;
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', text], {
    cwd: directory,
    detached: true,
    env: {
      ...process.env,
      PATH: `${join(directory, 'bin')}:${process.env.PATH}`,
      ROSTER_SERVER: `http://127.0.0.1:${port}`,
      XDG_CONFIG_HOME: directory,
    },
  });
  onTestFinished(() => endGroup(child));
  let output = '';
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr!.on('data', (chunk) => {
    output += chunk;
  });
  // A block that waits for ever shows what it was told so far.
  const limit = setTimeout(() => endGroup(child), limitMs);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(limit);
  expect([code, output]).toEqual([0, expect.stringContaining('prom: answers')]);
  expect(output).toMatch(/targets +2 of 2 tied/);
  expect(output).toMatch(/makes +2: web-1, web-2/);
  expect(output).toMatch(/found +prometheus +up/);
  expect(output).toMatch(/^HostDown +FIRING /m);
  expect(output).toMatch(/^HostDown +SUPPRESSED .* by ann until .*: new disk$/m);
  expect(output).toMatch(/ALERTSTATE_SUPPRESSED/);
  expect(output).toMatch(/prom +prometheus +up/);
  expect(output).toMatch(/am +alertmanager +up/);
});
