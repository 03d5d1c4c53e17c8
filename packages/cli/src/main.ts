import { exitCodes } from './command.ts';
import { runCommand } from './run-command.ts';
import { Terminal } from './terminal.ts';

const interrupted = 130;

/** Runs the command as a program: its words, the signals, and what is told when it fails. */
export async function main(words: readonly string[]): Promise<void> {
  const terminal = new Terminal(process, words);
  process.on('SIGINT', () => process.exit(interrupted));
  process.stdout.on('error', endOutput);
  try {
    process.exitCode = await runCommand({ words, terminal, environment: process.env });
  } catch (error) {
    const { explainError } = await import('./explain-error.ts');
    const { message, exitCode, details } = await explainError(error);
    await terminal.tell(`roster: ${message}`);
    if (words.includes('--verbose')) for (const detail of details) await terminal.tell(`  ${detail}`);
    process.exitCode = exitCode;
  }
}

/** A reader that has enough is no error; a full disk is one. */
function endOutput({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') process.exit(exitCodes.fine);
  process.stderr.write(`roster: cannot write the output: ${message}\n`);
  process.exit(exitCodes.error);
}
