import { runCommand } from './run-command.ts';
import { Terminal } from './terminal.ts';

const interrupted = 130;

/** Runs the command as a program: its words, the signals, and what is told when it fails. */
export async function main(words: readonly string[]): Promise<void> {
  const terminal = new Terminal(process, words);
  process.on('SIGINT', () => process.exit(interrupted));
  // Whoever reads the output may stop reading, as `head` does.
  process.stdout.on('error', leaveQuietly);
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

function leaveQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}
