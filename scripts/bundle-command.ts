import path from 'node:path';
import { rolldown } from 'rolldown';

/** What the bundle has inside. */
export const inlined = ['@roster/client'];

/**
 * Puts the sources of the command and of the client into few files, since finding and reading many takes longer than
 * all else at the start. What only some commands need stays apart and is loaded by them.
 */
export async function bundleCommand(root: string, outDir: string): Promise<void> {
  const bundle = await rolldown({
    input: path.join(root, 'packages', 'cli', 'src', 'main.ts'),
    platform: 'node',
    external: (id) => id.startsWith('node:') || (id.startsWith('@roster/') && !inlined.includes(id)),
  });
  await bundle.write({ dir: outDir, format: 'esm' });
  await bundle.close();
}
