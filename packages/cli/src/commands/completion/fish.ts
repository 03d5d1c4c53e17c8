import type { Flag } from '../../command/flags.ts';
import { type CompletedCommand, groupWords } from './completed-command.ts';

export function renderFish(commands: readonly CompletedCommand[]): string {
  const groups = groupWords(commands);
  const lines = ['# fish completion of roster', 'complete -c roster -n __fish_use_subcommand -f'];
  for (const [first, words] of groups) {
    const { summary } = commands.find(({ name }) => name === first) ?? { summary: words.join(', ') };
    lines.push(`complete -c roster -n __fish_use_subcommand -a ${first} -d ${quote(summary)}`);
    if (words.length === 0) continue;
    const isChosen = `__fish_seen_subcommand_from ${words.join(' ')}`;
    const condition = quote(`__fish_seen_subcommand_from ${first}; and not ${isChosen}`);
    lines.push(`complete -c roster -n ${condition} -f -a ${quote(words.join(' '))}`);
  }
  lines.push("complete -c roster -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'");
  for (const command of commands) lines.push(...renderFlags(command));
  return `${lines.join('\n')}\n`;
}

function renderFlags({ name, flags }: CompletedCommand): string[] {
  const condition = name
    .split(' ')
    .map((word) => `__fish_seen_subcommand_from ${word}`)
    .join('; and ');
  return Object.entries(flags).map(([flag, each]) => {
    return `complete -c roster -n ${quote(condition)} ${renderFlag(flag, each)}`;
  });
}

function renderFlag(flag: string, { type, short, choices, about }: Flag): string {
  const names = short === undefined ? `-l ${flag}` : `-l ${flag} -s ${short}`;
  const value = choices === undefined ? '-r' : `-x -a ${quote(choices.join(' '))}`;
  return `${names}${type === 'string' ? ` ${value}` : ''} -d ${quote(about)}`;
}

function quote(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
