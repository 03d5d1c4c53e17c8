import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const executable = fileURLToPath(new URL('../../bin/roster.js', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly environment?: Record<string, string>;
  readonly input?: string;
  readonly cwd?: string;
}

/** Runs the real command in its own process, without the user's settings. */
export function runRoster(words: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [executable, ...words], {
    env: { ...cleanEnvironment(), ...options.environment },
    cwd: options.cwd ?? os.tmpdir(),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A command that fails early does not read its input.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Runs the command and returns its output; a failure fails the test. */
export async function printed(words: readonly string[], options: RunOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await runRoster(words, options);
  if (code !== 0) throw new Error(`roster ${words.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

export function cleanEnvironment(): NodeJS.ProcessEnv {
  const names = /^(ROSTER_|NO_COLOR|FORCE_COLOR)/;
  const kept = Object.entries(process.env).filter(([name]) => !names.test(name));
  return { ...Object.fromEntries(kept), XDG_CONFIG_HOME: path.join(os.tmpdir(), 'roster-cli-none') };
}

/** An empty directory, deleted after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'roster-cli-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
