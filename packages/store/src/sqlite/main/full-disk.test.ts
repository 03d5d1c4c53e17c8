import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

/** Runs a shell script, with arguments, where it may mount what nobody else sees. */
function runWithOwnMounts(script: string, ...parameters: string[]) {
  const env = { ...process.env, SQLITE_TMPDIR: undefined };
  const command = 'exec unshare --mount --map-root-user sh -c "$@"';
  return spawnSync('sh', ['-c', command, 'sh', script, 'sh', ...parameters], { encoding: 'utf8', env });
}

const canMount = runWithOwnMounts('mount -t tmpfs tmpfs /mnt').status === 0;
const needed = 'needs unshare(1) and the right to mount a tmpfs in a user namespace';

/** In continuous integration nothing may be left out quietly, so there the tests run and fail. */
const skip = !canMount && !process.env.CI;

function runOnSmallDisk(fillBefore: string, resources: number) {
  const directory = temporaryDirectory();
  const program = fileURLToPath(new URL('../testing/full-disk-program.ts', import.meta.url));
  const script = 'mount -t tmpfs -o size=64m tmpfs "$1" && exec "$2" "$3" "$1" "$4" "$5"';
  const parameters = [directory, process.execPath, program, fillBefore, String(resources)];
  const { status, stdout, stderr } = runWithOwnMounts(script, ...parameters);
  expect(status, stderr || needed).toBe(0);
  return JSON.parse(stdout);
}

for (const fillBefore of ['records', 'commit']) {
  for (const [what, resources] of [
    ['a first import', 0],
    ['an import', 500],
  ] as const) {
    it.skipIf(skip)(
      `survives a disk that is full before the ${fillBefore} of ${what}${canMount ? '' : ` (${needed})`}`,
      () => {
        const result = runOnSmallDisk(fillBefore, resources);
        expect(result.refused).toEqual({
          code: 'storage_full',
          message: expect.stringContaining('no space left'),
        });
        expect(result.whileFull).toEqual({ head: result.before, resources });
        expect(result.after).toMatchObject({ created: 500, head: { number: result.before.number + 1 } });
        expect(result.digest.digest).toMatch(new RegExp(`^${resources + 500}:`));
      },
    );
  }
}
