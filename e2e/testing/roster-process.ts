import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const mainFile = fileURLToPath(new URL('../../packages/server/bin/roster-server.js', import.meta.url));
const startTimeoutMs = 30_000;
const running = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One real server process, with what it printed so far. */
export class RosterProcess {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  stdout = '';
  stderr = '';
  readonly #child: ChildProcess;

  /** `launcher` is a command that runs the server as its own last arguments, in its own process. */
  constructor(environment: Record<string, string>, launcher: readonly string[] = []) {
    const [command, ...args] = [...launcher, process.execPath, mainFile];
    const child = spawn(command!, args, {
      env: { ...withoutSettings(process.env), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.pid = child.pid!;
    running.add(child);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.exited = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        running.delete(child);
        resolve({ code, signal });
      });
    });
    this.exited.catch(() => running.delete(child));
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The address from the greeting. Throws with what the server said when it ends instead of greeting. */
  async address(): Promise<URL> {
    const deadline = performance.now() + startTimeoutMs;
    while (!this.stdout.includes('\n\n')) {
      if (this.hasExited) throw new Error(`the server ended instead of starting: ${this.stderr}`);
      if (performance.now() > deadline) throw new Error(`the server did not start: ${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const address = /is listening on (\S+)/.exec(this.stdout)?.[1];
    if (address === undefined) throw new Error(`the greeting names no address: ${this.stdout}`);
    return new URL(address);
  }

  /** Closes the pipes that the server prints to. */
  stopListening(): void {
    this.#child.stdout!.destroy();
    this.#child.stderr!.destroy();
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async kill(): Promise<Exit> {
    this.signal('SIGKILL');
    return this.exited;
  }

  async stop(): Promise<Exit> {
    this.signal('SIGTERM');
    return this.exited;
  }

  /** How many files, sockets and the like the process has open now. */
  openFiles(): number {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }

  /** How long the process has used a processor so far, by ticks of 10 ms. */
  busyMs(): number {
    const [, figures] = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ');
    const [user, system] = figures!.split(' ').slice(11);
    return (Number(user) + Number(system)) * 10;
  }

  /** What the process holds in memory now, in MiB. */
  residentMb(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) / 1024;
  }
}

/** A setting of the person who runs the tests must not reach the server. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const entries = Object.entries(environment);
  return Object.fromEntries(
    entries.filter(([name]) => !name.startsWith('ROSTER_') && name !== 'SQLITE_TMPDIR'),
  );
}
