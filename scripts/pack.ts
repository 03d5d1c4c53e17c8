import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleCommand, inlined } from './bundle-command.ts';
import { copyDependencies } from './copy-dependencies.ts';
import { consoleName, stageConsole } from './stage-console.ts';
import { stagePackage } from './stage-package.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const destination = path.resolve(process.argv[2] ?? path.join(root, 'dist'));
const bundled = ['contract', 'engine', 'store', 'sources', 'server'];

/**
 * Makes two tarballs that install without anything else: the client, which needs nothing, and the command, which
 * brings along the rest of Roster, the console included, and what that depends on.
 */
async function pack(work: string): Promise<void> {
  const build = path.join(work, 'build');
  compile('tsconfig.build.json', build);
  compile('packages/client/tsconfig.build.json', path.join(build, 'client', 'src'));
  await bundleCommand(root, path.join(build, 'cli', 'src'));
  const client = stagePackage({ root, build, name: 'client', stage: path.join(work, 'client') });
  const brought = [consoleName];
  const cli = stagePackage({ root, build, name: 'cli', stage: path.join(work, 'cli'), inlined, brought });
  for (const name of bundled) {
    stagePackage({ root, build, name, stage: path.join(cli, 'node_modules', '@roster', name) });
  }
  await stageConsole(root, path.join(cli, 'node_modules', consoleName));
  copyDependencies({ root, packages: bundled, stage: cli });
  mkdirSync(destination, { recursive: true });
  for (const stage of [client, cli]) npm('pack', stage, '--pack-destination', destination);
}

function compile(project: string, outDir: string): void {
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const words = [tsc, '-p', path.join(root, project), '--outDir', outDir];
  execFileSync(process.execPath, words, { stdio: ['ignore', 'inherit', 'inherit'] });
}

function npm(...words: string[]): void {
  const tarball = execFileSync('npm', [...words, '--silent'], { encoding: 'utf8' }).trim();
  process.stdout.write(`${path.join(destination, tarball)}\n`);
}

const work = mkdtempSync(path.join(os.tmpdir(), 'roster-pack-'));
try {
  await pack(work);
} finally {
  rmSync(work, { recursive: true });
}
