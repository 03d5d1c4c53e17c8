import { Arguments } from '../command/arguments.ts';
import type { Command } from '../command/command.ts';
import { UsageError } from '../command/errors.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { commonFlags } from '../command/flags.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { findCommand, isGroup } from './find-command.ts';

interface CommandLine {
  readonly words: readonly string[];
  readonly terminal: Terminal;
  readonly environment: NodeJS.ProcessEnv;
}

/** Runs the command named by the first words with the remaining ones. */
export async function runCommand({ words, terminal, environment }: CommandLine): Promise<number> {
  const [first = '--help'] = words;
  if (first === '--version' || first === '-V' || first === 'version') {
    const { version } = await import('../version.ts');
    await terminal.print(`roster ${version}\n`);
    return exitCodes.fine;
  }
  if (first === '--help' || first === '-h' || first === 'help') {
    const { showHelp } = await import('./help.ts');
    await showHelp(first === 'help' ? words.slice(1) : [], terminal);
    return exitCodes.fine;
  }
  if (words.length === 2 && ['--help', '-h'].includes(words[1]!) && isGroup(first)) {
    const { showHelp } = await import('./help.ts');
    await showHelp([first], terminal);
    return exitCodes.fine;
  }
  const { command, rest } = await findCommand(words);
  const given = Arguments.parse(rest, { ...command.flags, ...commonFlags });
  if (given.isSet('help')) {
    const { renderHelp } = await import('./help.ts');
    await terminal.print(renderHelp(command, terminal));
    return exitCodes.fine;
  }
  checkPositionals(command, given.positionals);
  return (await command.run({ given, terminal, environment })) ?? exitCodes.fine;
}

function checkPositionals({ name, usage, takes: [min, max] }: Command, { length }: readonly string[]): void {
  if (length >= min && length <= max) return;
  const what = length < min ? 'missing argument' : 'too many arguments';
  throw new UsageError(`${what}: roster ${name} ${usage}`);
}
