import { execFile, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const station = 'demo/sample/zone-1/station-1';

it('packs a client, and a command with the console, that install without a network and work in an empty directory', async () => {
  const clone = temporaryDirectory();
  await run(process.execPath, [join(root, 'scripts/pack.ts'), join(clone, 'dist')]);
  expect(readdirSync(join(clone, 'dist'))).toHaveLength(2);
  const home = temporaryDirectory();
  writeFileSync(join(home, 'package.json'), '{"private":true,"type":"module"}');
  const line = documentedInstall().replace('/opt/roster', home);
  for (const install of [line, line.replace('roster-cli', 'roster-client')]) {
    await run('sh', ['-c', install], { cwd: clone, env: offline() });
  }

  const command = join(home, 'node_modules/.bin/roster');
  const roster = async (...words: string[]) => (await run(process.execPath, [command, ...words])).stdout;
  expect(await roster('--version')).toMatch(/^roster \d+\.\d+\.\d+\n$/);
  const url = await serve(command, join(home, 'data'));
  expect(await roster('list', station, '--count', '--server', url)).toBe('1204\n');
  expect(await roster('list', station, '--limit', '1', '--server', url)).toContain('bm-core-001');
  expect(await roster('migrate', '--data', join(home, 'data'))).toContain('is up to date');

  const page = await fetch(`${url}/types`, { headers: { Accept: 'text/html' } });
  const [script] = /\/assets\/[^"]+\.js/.exec(await page.text())!;
  expect([page.status, (await fetch(url + script)).status]).toEqual([200, 200]);

  writeFileSync(join(home, 'script.ts'), clientScript(url));
  expect((await run(process.execPath, ['script.ts'], { cwd: home })).stdout).toBe('1204\n');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2024,dom', '--types', ''];
  expect((await run(process.execPath, [tsc, ...options, 'script.ts'], { cwd: home })).stdout).toBe('');
});

/** The line by which people install it, as the guide has it. */
function documentedInstall(): string {
  const guide = readFileSync(join(root, 'docs/guide/production.md'), 'utf8');
  return /^npm install --prefix \/opt\/roster .+$/m.exec(guide)![0];
}

function offline(): NodeJS.ProcessEnv {
  const settings = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
  return { ...process.env, ...settings, npm_config_cache: temporaryDirectory() };
}

async function serve(command: string, data: string): Promise<string> {
  const words = [command, 'serve', '--port', '0', '--data', data, '--sample'];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    const url = /is listening on (\S+)\n/.exec(output)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`the server ended instead of starting: ${output}`);
}

function clientScript(url: string): string {
  return `import { createClient, type Resource } from '@roster/client';
const all: Resource[] = [];
for await (const resource of createClient({ baseUrl: '${url}' }).station('${station}').listAll()) all.push(resource);
console.log(all.length);
`;
}
