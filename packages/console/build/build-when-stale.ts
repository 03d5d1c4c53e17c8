import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

const home = path.join(import.meta.dirname, '..');
const sources = ['src', 'public', 'index.html', 'package.json', 'vite.config.ts', '../client/src'];

/** Builds the console unless what is built is newer than everything it is made from. */
export async function buildWhenStale(onBuild: () => void = () => {}): Promise<void> {
  const builtAt = await changedAt(path.join(home, 'dist/index.html'));
  const changed = await Promise.all(sources.map((each) => newestIn(path.join(home, each))));
  if (builtAt > Math.max(...changed)) return;
  onBuild();
  const { build } = await import('vite');
  await build({ configFile: path.join(home, 'vite.config.ts'), logLevel: 'error' });
}

async function changedAt(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/** Directories count too: they change when a file goes. */
async function newestIn(place: string): Promise<number> {
  const entries = await readdir(place, { recursive: true }).catch(() => []);
  const times = await Promise.all(entries.map((each) => changedAt(path.join(place, each))));
  return Math.max(await changedAt(place), ...times);
}
