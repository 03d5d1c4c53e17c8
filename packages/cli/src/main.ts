import { exitCodes } from './command/exit-codes.ts';
import { runCommand } from './run/run-command.ts';
import { Terminal } from './terminal/terminal.ts';

const interrupted = 130;

/** Runs the command as a program: arguments, signals and error messages. */
export async function main(words: readonly string[]): Promise<void> {
  const terminal = new Terminal(process, words);
  process.on('SIGINT', () => process.exit(interrupted));
  process.stdout.on('error', endOutput);
  // Messages that nobody reads are lost; the exit code still tells how it ended.
  process.stderr.on('error', () => {});
  try {
    process.exitCode = await runCommand({ words, terminal, environment: process.env });
  } catch (error) {
    const { explainError } = await import('./run/explain-error.ts');
    const { message, exitCode, details } = await explainError(error, words);
    await terminal.tell(`roster: ${message}`);
    if (words.includes('--verbose')) for (const detail of details) await terminal.tell(`  ${detail}`);
    process.exitCode = exitCode;
  }
}

/** A closed pipe is no error, unlike a full disk. */
function endOutput({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') process.exit(exitCodes.fine);
  process.stderr.write(`roster: cannot write the output: ${message}\n`);
  process.exit(exitCodes.error);
}
