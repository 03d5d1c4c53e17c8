import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Copying {
  readonly root: string;
  /** The packages whose dependencies are wanted. */
  readonly packages: readonly string[];
  /** What gets a `node_modules` with them. */
  readonly stage: string;
}

/** Copies what packages depend on, and what that depends on, in the versions that are installed here. */
export function copyDependencies({ root, packages, stage }: Copying): void {
  const modules = path.join(root, 'node_modules');
  const found = new Set<string>();
  for (const name of packages) collect(path.join(root, 'packages', name), root, found);
  for (const directory of found) {
    const place = path.relative(modules, directory);
    // What is inside another dependency comes with it.
    if (place.startsWith('@roster') || place.includes('node_modules')) continue;
    cpSync(directory, path.join(stage, 'node_modules', place), { recursive: true });
  }
}

function collect(directory: string, root: string, found: Set<string>): void {
  const { dependencies = {} } = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    const dependency = findModule(name, directory, root);
    if (found.has(dependency)) continue;
    found.add(dependency);
    collect(dependency, root, found);
  }
}

/** Looks where Node.js looks. */
function findModule(name: string, from: string, root: string): string {
  const place = path.join(from, 'node_modules', name);
  if (existsSync(place)) return place;
  if (from === root) throw new Error(`${name} is not installed; run npm ci`);
  return findModule(name, path.dirname(from), root);
}
