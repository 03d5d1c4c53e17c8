import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const executable = fileURLToPath(new URL('../../../packages/cli/bin/roster.js', import.meta.url));

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  readonly child: ChildProcess;
  readonly ended: Promise<Ending>;
}

export interface CommandOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** A command that runs the program as its own last arguments. */
  readonly launcher?: readonly string[];
}

/** Starts the `roster` command, which is gone after the test in any case. */
export function startCommand(words: readonly string[], options: CommandOptions = {}): RunningCommand {
  const [program, ...args] = [...(options.launcher ?? []), process.execPath, executable, ...words];
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('ROSTER_'));
  const env = { ...Object.fromEntries(own), ...options.environment };
  const child = spawn(program!, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ending>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, ended };
}

export function runCommand(words: readonly string[], options?: CommandOptions): Promise<Ending> {
  return startCommand(words, options).ended;
}
