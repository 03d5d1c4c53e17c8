import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

const home = path.join(import.meta.dirname, '..');
const sources = ['src', 'public', 'build', 'index.html', 'package.json', 'vite.config.ts', '../client/src'];

/** Builds the console if any source is newer than the build. */
export async function buildWhenStale(onBuild: () => void = () => {}): Promise<void> {
  const builtAt = await changedAt(path.join(home, 'dist/index.html'));
  const changed = await Promise.all(sources.map((each) => newestIn(path.join(home, each))));
  if (builtAt > Math.max(...changed)) return;
  onBuild();
  await buildForUse();
}

/** Without this, the environment of a test runner makes Vite build the development version of React. */
async function buildForUse(): Promise<void> {
  const { NODE_ENV: before } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    const { build } = await import('vite');
    await build({ configFile: path.join(home, 'vite.config.ts'), logLevel: 'error' });
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}

async function changedAt(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/** Includes directories, which change when a file is deleted. */
async function newestIn(place: string): Promise<number> {
  const entries = await readdir(place, { recursive: true }).catch(() => []);
  const times = await Promise.all(entries.map((each) => changedAt(path.join(place, each))));
  return Math.max(await changedAt(place), ...times);
}
