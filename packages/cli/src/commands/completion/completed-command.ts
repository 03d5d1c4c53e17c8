import type { Flags } from '../../command/flags.ts';

/** A command as completion scripts need it. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: Flags;
}

/** First words, each with the second words that can follow. */
export function groupWords(commands: readonly CompletedCommand[]): Map<string, string[]> {
  const groups = new Map<string, string[]>([['help', []]]);
  for (const { name } of commands) {
    const [first = '', second] = name.split(' ');
    groups.set(first, [...(groups.get(first) ?? []), ...(second === undefined ? [] : [second])]);
  }
  return groups;
}
