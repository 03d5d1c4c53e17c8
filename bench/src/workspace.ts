import { type ChildProcess, fork, type SpawnOptions, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const stopTimeoutMs = 10_000;

/** Owns every child process and temporary directory of a run, and cleans up however it ends. */
export class Workspace {
  readonly #directory = mkdtempSync(join(tmpdir(), 'roster-bench-'));
  readonly #children = new Set<ChildProcess>();
  #directories = 0;

  constructor() {
    process.once('exit', () => this.#disposeNow());
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => process.exit(signal === 'SIGINT' ? 130 : 143));
    }
  }

  /** A path inside the run's own directory; nothing is created. */
  path(name: string): string {
    return join(this.#directory, name);
  }

  newDirectory(name: string): string {
    return mkdtempSync(join(this.#directory, `${name}-${this.#directories++}-`));
  }

  spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
    return this.#own(spawn(command, args, options));
  }

  /** Forks a child with an IPC channel; the caller resolves `module`. */
  fork(module: URL, args: readonly string[] = []): ChildProcess {
    return this.#own(fork(module, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }));
  }

  async stop(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    await promise;
    clearTimeout(timer);
  }

  removeDirectory(path: string): void {
    rmSync(path, { recursive: true, force: true });
  }

  #own(child: ChildProcess): ChildProcess {
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    return child;
  }

  #disposeNow(): void {
    for (const child of this.#children) child.kill('SIGKILL');
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
