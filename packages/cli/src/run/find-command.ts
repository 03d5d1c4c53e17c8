import type { Command } from '../command/command.ts';
import { UsageError } from '../command/errors.ts';
import { commandTable } from './command-table.ts';

/** The command named by the first words, and the words after it. */
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

/** Whether a word is the first of several commands, such as `token`. */
export function isGroup(word: string): boolean {
  return Object.keys(commandTable).some((name) => name.startsWith(`${word} `));
}

function unknownCommand([first = '', second]: readonly string[]): UsageError {
  const names = Object.keys(commandTable);
  if (first.startsWith('-')) {
    return new UsageError(`flags go after the command, as in roster list ${first}; see roster help`);
  }
  const group = names
    .filter((name) => name.startsWith(`${first} `))
    .map((name) => name.slice(first.length + 1));
  if (group.length > 0) {
    const message = `roster ${first} needs one of ${group.join(', ')}${second ? `, got ${JSON.stringify(second)}` : ''}`;
    const isListing = first === 'station' && second === 'list';
    const mistake = {
      given: second!,
      known: group,
      otherwise: isListing ? 'see roster stations' : undefined,
    };
    return new UsageError(message, second ? mistake : undefined);
  }
  const known = [...new Set(names.map((name) => name.split(' ')[0]!)), 'help'];
  const isFollowing = first === 'watch' || first === 'follow';
  const otherwise = isFollowing ? 'see roster list --watch and roster changes --follow' : 'see roster help';
  const mistake = { given: first, known, otherwise };
  return new UsageError(`unknown command ${JSON.stringify(first)}`, mistake);
}
