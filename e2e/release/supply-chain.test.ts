import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { productionTree } from '../../scripts/production-tree.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string) => readFileSync(path.join(root, name), 'utf8');
const tree = productionTree(path.join(root, 'package-lock.json'), 'packages/cli');

it('runs no script of others when it is installed for production', () => {
  expect(tree.map(({ name }) => name)).toContain('pino');
  expect(tree.filter(({ hasInstallScript }) => hasInstallScript)).toEqual([]);
});

it('states the number of runtime dependencies in the README', () => {
  const told = /(\d+) third-party runtime dependencies/.exec(read('README.md'))?.[1];
  expect(Number(told)).toBe(tree.length);
});

it('pins every version, and names no registry', () => {
  const workspaces = readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}`);
  for (const place of ['.', 'bench', ...workspaces]) {
    const { dependencies, devDependencies } = JSON.parse(read(`${place}/package.json`));
    for (const version of Object.values({ ...dependencies, ...devDependencies })) {
      expect([place, version]).toEqual([place, expect.stringMatching(/^\d+\.\d+\.\d+(-[\w.]+)?$/)]);
    }
  }
  expect(read('package-lock.json')).not.toMatch(/"resolved": "https?:/);
  expect(read('.npmrc')).not.toContain('registry');
});

interface LockedPackage {
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly integrity?: string;
}

it('has the binaries of every package for Linux on both x64 and arm64', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };
  // The lock file says what a package is by its hash; one that the registry does not offer has none.
  const binariesFor = (wanted: string) =>
    Object.entries(packages)
      .filter(([, { optional, os, cpu, libc, integrity }]) => {
        const isForLinux = os?.includes('linux') && cpu?.includes(wanted) && !libc?.includes('musl');
        return optional && isForLinux && integrity !== undefined;
      })
      .map(([place]) => place.replace(wanted, 'CPU'))
      .sort();
  expect(binariesFor('x64').length).toBeGreaterThan(3);
  expect(binariesFor('arm64')).toEqual(binariesFor('x64'));
});

it('has a bill of materials with every package that runs in production', () => {
  const file = path.join(temporaryDirectory(), 'roster.cdx.json');
  execFileSync(process.execPath, [path.join(root, 'scripts/sbom.ts'), file], { stdio: 'pipe' });
  const bill = JSON.parse(readFileSync(file, 'utf8'));
  expect(bill.bomFormat).toBe('CycloneDX');
  const listed = new Set(
    bill.components.map(
      ({ group, name, version }: Record<string, string>) => `${group ? `${group}/` : ''}${name}@${version}`,
    ),
  );
  for (const { name, version } of tree) expect(listed).toContain(`${name}@${version}`);
});
