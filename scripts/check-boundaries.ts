import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'rolldown/utils';

interface Rules {
  /** Which packages, or which of their exports, each package may import. One that is not listed may import every other. */
  readonly mayImport: Readonly<Record<string, readonly string[]>>;
  /** What its tests may import beyond that. */
  readonly testsMayImport: Readonly<Record<string, readonly string[]>>;
  /** Children of a folder from top to bottom: each may import only those that come after it. */
  readonly rooms: Readonly<Record<string, readonly string[]>>;
  readonly maxFilesPerFolder: number;
  /** Folders whose size and cycles are not reported yet. */
  readonly toBeMoved: readonly string[];
}

const rules: Rules = {
  mayImport: {
    '@roster/contract': [],
    '@roster/engine': ['@roster/contract'],
    '@roster/store': ['@roster/contract', '@roster/engine/port'],
    '@roster/sources': ['@roster/contract', '@roster/engine'],
    '@roster/server': ['@roster/contract', '@roster/engine', '@roster/sources', '@roster/store'],
    '@roster/client': [],
    '@roster/cli': [
      '@roster/client',
      '@roster/contract',
      '@roster/server',
      '@roster/sources',
      '@roster/store',
    ],
    '@roster/console': ['@roster/client'],
  },
  testsMayImport: { '@roster/client': ['@roster/contract'], '@roster/store': ['@roster/engine'] },
  rooms: {
    'packages/server/src': ['operations', 'pipeline', 'node'],
    'packages/engine/src': ['index', 'port'],
    'packages/store/src/sqlite': ['main', 'writer', 'directory', 'database'],
  },
  maxFilesPerFolder: 20,
  toBeMoved: [],
};

const sources = ['packages/*/{src,bin,build}', 'bench/src', 'e2e', 'scripts', 'testing'];
/** Build scripts work on the files of the packages, so paths into a package are fine there. */
const mayEnterPackages = ['scripts', 'testing'];

interface Package {
  readonly name: string;
  readonly folder: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly imports: Readonly<Record<string, string>>;
}

interface Import {
  readonly from: string;
  readonly specifier: string;
  /** The file it names, or undefined for a third-party package. */
  readonly to: string | undefined;
}

/** For each child of a folder, which other children it imports, with one import that does so. */
type Graph = Map<string, Map<string, Import>>;

/** Every violation of the rules in the repository at `root`, one line each: `file: what is wrong`. */
export function findViolations(root: string, given: Partial<Rules> = {}): string[] {
  const active = { ...rules, ...given };
  const files = globSync(
    sources.map((folder) => `${folder}/**/*.*`),
    { cwd: root, exclude: ['**/node_modules', '**/dist'] },
  ).sort();
  const packages = readPackages(root);
  const imports = files
    .filter((file) => /\.[jt]sx?$/.test(file))
    .flatMap((file) => readImports(root, file, packages));
  return [
    ...imports.flatMap((found) => checkPackages(found, packages, active)),
    ...imports.flatMap(checkTestCode),
    ...imports.flatMap((found) => checkRooms(found, active)),
    ...checkCycles(imports, active),
    ...checkSizes(files, active),
  ];
}

function readPackages(root: string): Package[] {
  return globSync(['packages/*/package.json', 'bench/package.json'], { cwd: root }).map((file) => {
    const folder = path.dirname(file);
    const { name, exports = {}, imports = {} } = JSON.parse(readFileSync(path.join(root, file), 'utf8'));
    const entries = typeof exports === 'string' ? { '.': exports } : exports;
    return { name, folder, exports: entries, imports };
  });
}

function readImports(root: string, from: string, packages: readonly Package[]): Import[] {
  const found: Import[] = [];
  const add = (node: { type: string; value?: unknown } | null | undefined) => {
    if (node?.type !== 'Literal' || typeof node.value !== 'string') return;
    found.push({ from, specifier: node.value, to: resolve(from, node.value, packages) });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
    // `new URL('./worker.ts', import.meta.url)` names a worker's source. Outside the package it names a program to run.
    NewExpression: ({ callee, arguments: [file, base] }) => {
      if (callee.type !== 'Identifier' || callee.name !== 'URL' || base?.type !== 'MemberExpression') return;
      if (file?.type !== 'Literal' || typeof file.value !== 'string' || !/\.[jt]sx?$/.test(file.value))
        return;
      const to = path.join(path.dirname(from), file.value);
      if (packageOf(from, packages) === packageOf(to, packages))
        found.push({ from, specifier: `./${file.value}`, to });
    },
  }).visit(parseSync(from, readFileSync(path.join(root, from), 'utf8')).program);
  return found;
}

function resolve(from: string, specifier: string, packages: readonly Package[]): string | undefined {
  if (specifier.startsWith('.')) return path.join(path.dirname(from), specifier.replace(/\?.*/, ''));
  const own = packageOf(from, packages);
  if (own && specifier.startsWith('#')) return inPackage(own, own.imports[specifier]);
  const entered = packages.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`));
  return entered && inPackage(entered, entered.exports[`.${specifier.slice(entered.name.length)}`]);
}

const inPackage = ({ folder }: Package, file = '') => path.join(folder, file);

function packageOf(file: string, packages: readonly Package[]): Package | undefined {
  return packages.find(({ folder }) => file === folder || file.startsWith(`${folder}/`));
}

function checkPackages(
  { from, specifier, to }: Import,
  packages: readonly Package[],
  active: Rules,
): string[] {
  if (to === undefined) return [];
  const own = packageOf(from, packages);
  const entered = packageOf(to, packages);
  const relative = specifier.startsWith('.');
  if (!entered) {
    const allowed = !own || isTestCode(from) || own.folder === 'bench';
    return allowed ? [] : [`${from}: imports ${specifier}; a package stays inside its folder`];
  }
  if (own === entered) {
    const itself = !relative && !specifier.startsWith('#');
    return itself ? [`${from}: imports ${specifier}; use relative paths inside a package`] : [];
  }
  if (relative) {
    const allowed = mayEnterPackages.includes(from.split('/')[0]!);
    return allowed ? [] : [`${from}: imports ${specifier}; import ${entered.name} by its name`];
  }
  if (to === entered.folder) {
    return [`${from}: imports ${specifier}, which the exports of ${entered.name} do not list`];
  }
  if (!own) return [];
  const allowed = [...(active.mayImport[own.name] ?? [entered.name])];
  if (isTestCode(from)) allowed.push(...(active.testsMayImport[own.name] ?? []));
  if (allowed.includes(entered.name) || allowed.includes(specifier)) return [];
  return [
    `${from}: imports ${specifier}; ${own.name} may import ${allowed.join(', ') || 'no other package'}`,
  ];
}

const isTest = (file: string) => /\.test\.tsx?$/.test(file);
const isInTesting = (file: string) => path.dirname(file).split('/').includes('testing');
const isTestCode = (file: string) => isTest(file) || isInTesting(file) || file.startsWith('e2e/');

function checkTestCode({ from, specifier, to }: Import): string[] {
  if (to === undefined || isTestCode(from) || from.startsWith('bench/') || !isTestCode(to)) return [];
  return [`${from}: imports ${specifier}; only tests may import test code`];
}

function checkRooms({ from, specifier, to }: Import, { rooms }: Rules): string[] {
  if (to === undefined || isTestCode(from)) return [];
  return Object.entries(rooms).flatMap(([folder, order]) => {
    const importer = order.indexOf(childOf(folder, from) ?? '');
    const imported = order.indexOf(childOf(folder, to) ?? '');
    if (importer < 0 || imported < 0 || importer <= imported) return [];
    return [`${from}: imports ${specifier}; in ${folder} imports go ${order.join(' -> ')}`];
  });
}

/** The file or folder directly in `folder` that holds `file`. */
function childOf(folder: string, file: string): string | undefined {
  if (folder === '') return file.split('/')[0];
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split('/')[0] : undefined;
}

function checkCycles(imports: readonly Import[], { toBeMoved }: Rules): string[] {
  const graphs = new Map<string, Graph>();
  for (const found of imports) {
    const { from, to } = found;
    if (to === undefined || isTest(from) || isInTesting(from)) continue;
    const folder = commonFolder(from, to);
    const [importer, imported] = [childOf(folder, from), childOf(folder, to)];
    if (importer === undefined || imported === undefined || importer === imported) continue;
    const graph = getOrAdd(graphs, folder, (): Graph => new Map());
    getOrAdd(graph, importer, () => new Map<string, Import>()).set(imported, found);
  }
  return [...graphs]
    .filter(([folder]) => !toBeMoved.includes(folder))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([folder, graph]) =>
      findCycles(graph).map((cycle) => `${folder || '.'}: import cycle ${describeCycle(cycle, graph)}`),
    );
}

function commonFolder(one: string, other: string): string {
  const [parts, others] = [path.dirname(one).split('/'), path.dirname(other).split('/')];
  const different = parts.findIndex((part, at) => part !== others[at]);
  return (different < 0 ? parts : parts.slice(0, different)).join('/');
}

function getOrAdd<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

/** For each child on a cycle, a shortest one that passes through it, unless a cycle found earlier does. */
function findCycles(graph: Graph): string[][] {
  const cycles: string[][] = [];
  for (const start of graph.keys()) {
    const cycle = cycles.flat().includes(start) ? undefined : shortestCycle(graph, start);
    if (cycle) cycles.push(cycle);
  }
  return cycles;
}

function shortestCycle(graph: Graph, start: string): string[] | undefined {
  const walks = [[start]];
  const seen = new Set<string>();
  for (const walk of walks) {
    for (const child of graph.get(walk.at(-1)!)?.keys() ?? []) {
      if (child === start) return [...walk, start];
      if (!seen.has(child)) walks.push([...walk, child]);
      seen.add(child);
    }
  }
  return undefined;
}

function describeCycle(cycle: readonly string[], graph: Graph): string {
  const steps = cycle.slice(1).map((child, at) => {
    const { from, to } = graph.get(cycle[at]!)!.get(child)!;
    return `\n    ${from} -> ${to}`;
  });
  return cycle.join(' -> ') + steps.join('');
}

function checkSizes(files: readonly string[], { maxFilesPerFolder, toBeMoved }: Rules): string[] {
  const folders = Object.entries(Object.groupBy(files, (file) => path.dirname(file)));
  return folders
    .filter(([folder, inside]) => inside!.length > maxFilesPerFolder && !toBeMoved.includes(folder))
    .map(([folder, inside]) => `${folder}: ${inside!.length} files; at most ${maxFilesPerFolder} per folder`);
}

if (import.meta.main) {
  const violations = findViolations(fileURLToPath(new URL('..', import.meta.url)));
  for (const violation of violations) process.stderr.write(`${violation}\n`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
