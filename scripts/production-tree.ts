import { readFileSync } from 'node:fs';

interface LockedPackage {
  readonly link?: boolean;
  readonly resolved?: string;
  readonly version?: string;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

export interface ProductionPackage {
  readonly name: string;
  readonly version: string;
  readonly hasInstallScript: boolean;
}

const modules = 'node_modules/';

/** Every package of others that a workspace needs to run, as the lock file has it. */
export function productionTree(lockFile: string, workspace: string): ProductionPackage[] {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const found = new Set<string>();
  const visit = (from: string) => {
    const { dependencies, optionalDependencies } = packages[from]!;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const key = locate(packages, from, name);
      if (found.has(key)) continue;
      found.add(key);
      visit(key);
    }
  };
  visit(workspace);
  return [...found].filter((key) => key.includes(modules)).map((key) => describe(key, packages[key]!));
}

/** As Node.js looks for it: beside the package that wants it, and then further and further up. */
function locate(packages: Record<string, LockedPackage>, from: string, name: string): string {
  for (const place of [...placesAbove(from), '']) {
    const key = `${place}${modules}${name}`;
    const locked = packages[key];
    if (locked !== undefined) return locked.link ? locked.resolved! : key;
  }
  throw new Error(`the lock file does not have ${name}, which ${from} wants`);
}

function placesAbove(from: string): string[] {
  const above = from.lastIndexOf(`/${modules}`);
  return [`${from}/`, ...(above === -1 ? [] : placesAbove(from.slice(0, above)))];
}

function describe(key: string, { version, hasInstallScript = false }: LockedPackage): ProductionPackage {
  return { name: key.slice(key.lastIndexOf(modules) + modules.length), version: version!, hasInstallScript };
}
