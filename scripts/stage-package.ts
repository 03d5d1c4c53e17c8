import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

interface Manifest {
  readonly name: string;
  readonly exports?: string | Record<string, string>;
  readonly bin?: Record<string, string>;
  readonly imports?: Record<string, string>;
  readonly dependencies?: Record<string, string>;
  readonly [member: string]: unknown;
}

interface Staging {
  readonly root: string;
  /** Where the compiled sources of all packages are. */
  readonly build: string;
  readonly name: string;
  /** The directory that the package is put together in. */
  readonly stage: string;
  /** Dependencies that the compiled sources already have inside. */
  readonly inlined?: readonly string[];
  /** Packages of the same version that nothing imports, yet that must come along. */
  readonly brought?: readonly string[];
}

/** Not for those who install a package. */
const leftOut = ['private', 'devDependencies'];
const notCompiled = ['./testing', './postgres-server'];

/** Puts a package together as it is published: compiled, with types. */
export function stagePackage({ root, build, name, stage, inlined = [], brought = [] }: Staging): string {
  const source = path.join(root, 'packages', name);
  mkdirSync(stage, { recursive: true });
  cpSync(path.join(build, name, 'src'), path.join(stage, 'dist'), { recursive: true });
  for (const each of ['README.md', 'bin']) {
    if (existsSync(path.join(source, each)))
      cpSync(path.join(source, each), path.join(stage, each), { recursive: true });
  }
  cpSync(path.join(root, 'LICENSE'), path.join(stage, 'LICENSE'));
  const manifest = publishedManifest(readManifest(source, inlined, brought));
  writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  return stage;
}

function readManifest(directory: string, inlined: readonly string[], brought: readonly string[]): Manifest {
  const manifest: Manifest & { version: string } = JSON.parse(
    readFileSync(path.join(directory, 'package.json'), 'utf8'),
  );
  const { dependencies = {}, version } = manifest;
  const needed = Object.entries(dependencies).filter(([name]) => !inlined.includes(name));
  const more = brought.map((name) => [name, version]);
  return { ...manifest, dependencies: Object.fromEntries([...needed, ...more]) };
}

function publishedManifest(manifest: Manifest): object {
  const kept = Object.entries(manifest).filter(([member]) => !leftOut.includes(member));
  const { exports: entries = {}, imports = {}, dependencies, bin } = manifest;
  const exported = typeof entries === 'string' ? { '.': entries } : entries;
  return {
    ...Object.fromEntries(kept),
    files: ['dist', ...(bin === undefined ? [] : ['bin'])],
    exports: mapValues(withoutTests(exported), (file) => ({
      types: compiled(file, '.d.ts'),
      default: compiled(file, '.js'),
    })),
    imports: mapValues(imports, (file) => compiled(file, '.js')),
    // The command is the one package that has others inside it.
    ...(bin === undefined ? {} : { bundleDependencies: Object.keys(dependencies ?? {}) }),
  };
}

function compiled(file: string, extension: string): string {
  return file.replace('./src/', './dist/').replace(/\.ts$/, extension);
}

function withoutTests(exported: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(exported).filter(([entry]) => !notCompiled.includes(entry)));
}

function mapValues<T>(record: Record<string, string>, map: (value: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
