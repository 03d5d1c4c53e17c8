import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, statfsSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from './temporary-directory.ts';

/** Root may simply have mounts of its own; anyone else needs a user namespace for that. */
const namespaces = [
  { unshare: ['--mount'], nsenter: ['--mount'] },
  { unshare: ['--mount', '--map-root-user'], nsenter: ['--mount', '--user', '--preserve-credentials'] },
];

const usable = namespaces.find(
  ({ unshare }) => spawnSync('unshare', [...unshare, 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0,
);

export const canMount = usable !== undefined;
export const neededToMount =
  'unshare(1), nsenter(1) and the right to mount a tmpfs, as root or in a user namespace';

/** A small file system that only processes behind `launcher` see under its path; gone after the test. */
export class SmallDisk {
  readonly directory: string;
  readonly launcher: readonly string[];
  readonly #seenFromHere: string;

  static async create(megabytes: number): Promise<SmallDisk> {
    if (usable === undefined) throw new Error(`a small disk needs ${neededToMount}`);
    const directory = temporaryDirectory();
    const script = `mount -t tmpfs -o size=${megabytes}m tmpfs "$1" && echo mounted && exec cat`;
    const holder = spawn('unshare', [...usable.unshare, 'sh', '-c', script, 'sh', directory]);
    onTestFinished(() => void holder.kill('SIGKILL'));
    await mounted(holder);
    return new SmallDisk(directory, holder.pid!, usable.nsenter);
  }

  private constructor(directory: string, pid: number, nsenter: readonly string[]) {
    this.directory = directory;
    this.launcher = ['nsenter', `--target=${pid}`, ...nsenter, '--'];
    this.#seenFromHere = `/proc/${pid}/root${directory}`;
  }

  fill(roomLeftBytes = 0): void {
    const { bavail, bsize } = statfsSync(this.#seenFromHere);
    try {
      writeFileSync(this.#ballast, Buffer.alloc(Math.max(0, bavail * bsize - roomLeftBytes), 1));
    } catch (error) {
      // Whoever writes meanwhile may fill it first.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }

  free(): void {
    unlinkSync(this.#ballast);
  }

  /** The text of a file on it. */
  read(name: string): string {
    return readFileSync(join(this.#seenFromHere, name), 'utf8');
  }

  get #ballast(): string {
    return join(this.#seenFromHere, 'ballast');
  }
}

function mounted(holder: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let stderr = '';
    holder.stderr!.on('data', (text) => {
      stderr += text;
    });
    holder.stdout!.once('data', () => resolve());
    holder.once('exit', () => reject(new Error(`the small disk was not mounted: ${stderr}`)));
  });
}
