import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { productionTree } from './production-tree.ts';

interface Component {
  readonly 'bom-ref': string;
}

interface Bill {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const root = fileURLToPath(new URL('..', import.meta.url));
const file = path.resolve(process.argv[2] ?? path.join(root, 'dist', 'roster.cdx.json'));
const ours = /^@roster\/(cli|client|contract|engine|server|store)@/;

/** Writes a bill of all packages that run in production, in the format CycloneDX. */
function writeBill(): void {
  const tree = productionTree(path.join(root, 'package-lock.json'), 'packages/cli');
  const wanted = new Set(tree.map(({ name, version }) => `${name}@${version}`));
  const isWanted = (ref: string) => wanted.has(ref) || ours.test(ref);
  // npm leaves out of a bill without development packages some that those need too.
  const bill = readBill();
  const components = bill.components.filter((component) => isWanted(component['bom-ref']));
  const dependencies = bill.dependencies
    .filter(({ ref }) => isWanted(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isWanted) }));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...bill, components, dependencies }, null, 2));
  process.stdout.write(`${file}\n`);
}

function readBill(): Bill {
  const options = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const text = execFileSync('npm', ['sbom', ...options], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(text) as Bill;
}

writeBill();
