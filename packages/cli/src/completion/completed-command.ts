import type { Flags } from '../command.ts';

/** What a shell has to know of a command. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: Flags;
}

/** The first words, each with the words that may follow it. */
export function groupWords(commands: readonly CompletedCommand[]): Map<string, string[]> {
  const groups = new Map<string, string[]>([['help', []]]);
  for (const { name } of commands) {
    const [first = '', second] = name.split(' ');
    groups.set(first, [...(groups.get(first) ?? []), ...(second === undefined ? [] : [second])]);
  }
  return groups;
}
