import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Workspace } from '../workspace.ts';

/** Runs a program and returns its output. Throws its error output on failure. Calls `onFirstOutput` once it prints. */
export async function runToCompletion(
  workspace: Workspace,
  command: string,
  args: readonly string[],
  onFirstOutput?: (child: ChildProcess) => void,
): Promise<string> {
  const child = workspace.spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  if (onFirstOutput) child.stdout!.once('data', () => onFirstOutput(child));
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close'),
  ]);
  if (code !== 0) throw new Error(`${command} ended with code ${code}: ${errors || output}`);
  return output;
}
