import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildWhenStale } from '../packages/console/build/build-when-stale.ts';

export const consoleName = '@roster/console';

/** Puts the built console where the server looks for it: beside itself. */
export async function stageConsole(root: string, stage: string): Promise<void> {
  await buildWhenStale();
  const source = path.join(root, 'packages', 'console');
  const { version, license } = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8'));
  mkdirSync(stage, { recursive: true });
  cpSync(path.join(source, 'dist'), path.join(stage, 'dist'), { recursive: true });
  cpSync(path.join(root, 'LICENSE'), path.join(stage, 'LICENSE'));
  const manifest = { name: consoleName, version, license, files: ['dist'] };
  writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}
