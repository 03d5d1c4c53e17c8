import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findViolations } from './check-boundaries.ts';

const packageFiles = {
  'packages/contract/package.json': '{ "name": "@roster/contract", "exports": "./src/index.ts" }',
  'packages/engine/package.json':
    '{ "name": "@roster/engine", "exports": { ".": "./src/index.ts", "./port": "./src/port.ts", "./suite": "./src/testing/suite.ts" } }',
  'packages/store/package.json': '{ "name": "@roster/store", "exports": "./src/index.ts" }',
  'packages/client/package.json': '{ "name": "@roster/client", "exports": "./src/index.ts" }',
  'packages/server/package.json':
    '{ "name": "@roster/server", "exports": "./src/index.ts", "imports": { "#main": "./src/main.ts" } }',
  'packages/contract/src/index.ts': 'export const port = 1;',
};

/** Checks a repository of the packages above and the given files. */
function check(files: Record<string, string>, rules?: Parameters<typeof findViolations>[1]): string[] {
  const root = mkdtempSync(path.join(tmpdir(), 'roster-boundaries-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries({ ...packageFiles, ...files })) {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return findViolations(root, { toBeMoved: [], ...rules });
}

test('what the rules allow is not reported', () => {
  const violations = check({
    'packages/engine/src/index.ts': "export { port } from '@roster/contract'; import './room/a.ts';",
    'packages/engine/src/room/a.ts': "import './b.ts'; import 'node:fs'; import 'typebox';",
    'packages/engine/src/room/b.ts': '',
    'packages/engine/src/room/b.test.ts': "import './a.ts'; import '../testing/suite.ts';",
    'packages/engine/src/testing/suite.ts': "import '../index.ts'; import '../../../../testing/random.ts';",
    'packages/client/src/types.test.ts': "import type { port } from '@roster/contract';",
    'packages/server/src/index.ts': "import '@roster/contract'; import '@roster/engine';",
    'packages/server/bin/roster-server.js': "import '#main';",
    'packages/server/src/main.ts': "new URL('../../client/src/program.js', import.meta.url);",
    'e2e/lists.test.ts': "import '@roster/server'; import '@roster/engine/suite';",
  });
  expect(violations).toEqual([]);
});

test.each([
  ["import '@roster/engine';"],
  ["import type { Store } from '@roster/engine';"],
  ["export * from '@roster/engine';"],
  ["export { Store } from '@roster/engine';"],
  ["const load = () => import('@roster/engine');"],
  ["let store: import('@roster/engine').Store;"],
])('a package that imports one above it is reported: %s', (line) => {
  expect(check({ 'packages/contract/src/store.ts': line })).toEqual([
    'packages/contract/src/store.ts: imports @roster/engine; @roster/contract may import no other package',
  ]);
});

test('only the tests of the client may import the contract', () => {
  expect(check({ 'packages/client/src/types.ts': "import type { port } from '@roster/contract';" })).toEqual([
    'packages/client/src/types.ts: imports @roster/contract; @roster/client may import no other package',
  ]);
});

test('the store may import the port of the engine, and only its tests the rest', () => {
  const violations = check({
    'packages/store/src/a.ts': "import type { Store } from '@roster/engine/port';",
    'packages/store/src/b.ts': "import type { Store } from '@roster/engine';",
    'packages/store/src/b.test.ts': "import { Engine } from '@roster/engine';",
  });
  expect(violations).toEqual([
    'packages/store/src/b.ts: imports @roster/engine; @roster/store may import @roster/contract, @roster/engine/port',
  ]);
});

test('a package is entered by its name and its exports only', () => {
  const violations = check({
    'packages/engine/src/a.ts': "import '../../contract/src/index.ts';",
    'packages/engine/src/b.ts': "import '@roster/contract/src/index.ts';",
    'packages/engine/src/c.ts': "import '@roster/engine';",
    'packages/engine/src/d.ts': "import '../../../scripts/pack.ts';",
    'e2e/lists.test.ts': "import '../packages/server/src/index.ts';",
  });
  expect(violations).toEqual([
    'e2e/lists.test.ts: imports ../packages/server/src/index.ts; import @roster/server by its name',
    'packages/engine/src/a.ts: imports ../../contract/src/index.ts; import @roster/contract by its name',
    'packages/engine/src/b.ts: imports @roster/contract/src/index.ts, which the exports of @roster/contract do not list',
    'packages/engine/src/c.ts: imports @roster/engine; use relative paths inside a package',
    'packages/engine/src/d.ts: imports ../../../scripts/pack.ts; a package stays inside its folder',
  ]);
});

test('production code that imports test code is reported', () => {
  const violations = check({
    'packages/engine/src/a.ts': "import './b.test.ts';",
    'packages/engine/src/b.test.ts': '',
    'packages/engine/src/c.ts': "import './testing/build.ts';",
    'packages/server/src/d.ts': "import '@roster/engine/suite';",
  });
  expect(violations).toEqual([
    'packages/engine/src/a.ts: imports ./b.test.ts; only tests may import test code',
    'packages/engine/src/c.ts: imports ./testing/build.ts; only tests may import test code',
    'packages/server/src/d.ts: imports @roster/engine/suite; only tests may import test code',
  ]);
});

test('every cycle of files and of folders is reported with the imports that close it', () => {
  const violations = check({
    'packages/engine/src/a.ts': "import type { B } from './b.ts';",
    'packages/engine/src/b.ts': "const load = () => import('./a.ts');",
    'packages/engine/src/x/one.ts': "import '../y/two.ts';",
    'packages/engine/src/y/two.ts': "import '../z/three.ts';",
    'packages/engine/src/z/three.ts': "new Worker(new URL('../x/four.ts', import.meta.url));",
  });
  expect(violations).toEqual([
    [
      'packages/engine/src: import cycle a.ts -> b.ts -> a.ts',
      'packages/engine/src/a.ts -> packages/engine/src/b.ts',
      'packages/engine/src/b.ts -> packages/engine/src/a.ts',
    ].join('\n    '),
    [
      'packages/engine/src: import cycle x -> y -> z -> x',
      'packages/engine/src/x/one.ts -> packages/engine/src/y/two.ts',
      'packages/engine/src/y/two.ts -> packages/engine/src/z/three.ts',
      'packages/engine/src/z/three.ts -> packages/engine/src/x/four.ts',
    ].join('\n    '),
  ]);
});

test('an import against the order of the rooms is reported', () => {
  const files = {
    'packages/server/src/operations/list.ts': "import '../pipeline/steps.ts';",
    'packages/server/src/node/socket.ts': "import '../pipeline/steps.ts';",
  };
  expect(check(files, { rooms: { 'packages/server/src': ['operations', 'pipeline', 'node'] } })).toEqual([
    'packages/server/src/node/socket.ts: imports ../pipeline/steps.ts; in packages/server/src imports go operations -> pipeline -> node',
  ]);
});

test('a folder with too many files is reported, and not while it is to be moved', () => {
  const files = Object.fromEntries(
    Array.from({ length: 21 }, (_, at) => [`packages/engine/src/port/file-${at}.ts`, '']),
  );
  expect(check(files)).toEqual(['packages/engine/src/port: 21 files; at most 20 per folder']);
  expect(check(files, { toBeMoved: ['packages/engine/src/port'] })).toEqual([]);
});
