import { Arguments } from './arguments.ts';
import { type Command, exitCodes, type Flags } from './command.ts';
import { commandTable } from './command-table.ts';
import { UsageError } from './errors.ts';
import type { Terminal } from './terminal.ts';

export const commonFlags: Flags = {
  verbose: { type: 'boolean', about: 'on an error, show the request id and the cause' },
  'no-color': { type: 'boolean', about: 'no colours; so does the variable NO_COLOR' },
  help: { type: 'boolean', short: 'h', about: 'show this help' },
};

interface CommandLine {
  readonly words: readonly string[];
  readonly terminal: Terminal;
  readonly environment: NodeJS.ProcessEnv;
}

/** Finds the command that the first words name, and runs it with the others. */
export async function runCommand({ words, terminal, environment }: CommandLine): Promise<number> {
  const [first = '--help'] = words;
  if (first === '--version' || first === '-V' || first === 'version') {
    const { version } = await import('./version.ts');
    await terminal.print(`roster ${version}\n`);
    return exitCodes.fine;
  }
  if (first === '--help' || first === '-h' || first === 'help') {
    const { showHelp } = await import('./help.ts');
    await showHelp(first === 'help' ? words.slice(1) : [], terminal);
    return exitCodes.fine;
  }
  const { command, rest } = await findCommand(words);
  const given = Arguments.parse(rest, { ...command.flags, ...commonFlags });
  if (given.isSet('help')) {
    const { renderHelp } = await import('./help.ts');
    await terminal.print(renderHelp(command, terminal.paint));
    return exitCodes.fine;
  }
  checkPositionals(command, given.positionals);
  return (await command.run({ given, terminal, environment })) ?? exitCodes.fine;
}

export async function findCommand(
  words: readonly string[],
): Promise<{ command: Command; rest: readonly string[] }> {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    if (Object.hasOwn(commandTable, name)) {
      return { command: await commandTable[name]!.load(), rest: words.slice(length) };
    }
  }
  throw unknownCommand(words);
}

function unknownCommand([first = '', second]: readonly string[]): UsageError {
  const names = Object.keys(commandTable);
  if (first.startsWith('-')) {
    return new UsageError(
      `flags stand behind the command, as in roster list ${first}; roster help shows all`,
    );
  }
  const group = names
    .filter((name) => name.startsWith(`${first} `))
    .map((name) => name.slice(first.length + 1));
  if (group.length > 0) {
    const message = `roster ${first} needs one of ${group.join(', ')}${second ? `, got ${JSON.stringify(second)}` : ''}`;
    return new UsageError(message, second ? { given: second, known: group } : undefined);
  }
  const known = [...new Set(names.map((name) => name.split(' ')[0]!)), 'help'];
  const mistake = { given: first, known, otherwise: 'roster help shows all' };
  return new UsageError(`unknown command ${JSON.stringify(first)}`, mistake);
}

function checkPositionals({ name, usage, takes: [min, max] }: Command, { length }: readonly string[]): void {
  if (length >= min && length <= max) return;
  const what = length < min ? 'an argument is missing' : 'there are too many arguments';
  throw new UsageError(`${what}: roster ${name} ${usage}`);
}
