import type { Command, CommandTable } from '../../command/command.ts';
import { commonFlags } from '../../command/flags.ts';
import { renderBash } from './bash.ts';
import { renderFish } from './fish.ts';
import { renderZsh } from './zsh.ts';

const renderers = { bash: renderBash, zsh: renderZsh, fish: renderFish };
const shells = Object.keys(renderers);

/** The `completion` command, for the commands of the table. */
export function completionOf(table: CommandTable): Command {
  return {
    name: 'completion',
    usage: 'bash|zsh|fish',
    about: 'Prints a shell script that completes commands, flags and values.',
    takes: [1, 1],
    flags: {},
    examples: [
      ['source <(roster completion bash)', 'in ~/.bashrc'],
      ['source <(roster completion zsh)', 'in ~/.zshrc, after compinit'],
      ['roster completion fish > ~/.config/fish/completions/roster.fish', 'once'],
    ],
    async run({ given, terminal }) {
      const [shell = ''] = given.positionals;
      if (!Object.hasOwn(renderers, shell)) {
        const { UsageError } = await import('../../command/errors.ts');
        throw new UsageError(`the shell must be one of ${shells.join(', ')}, got ${JSON.stringify(shell)}`);
      }
      const entries = Object.entries(table).map(async ([name, { summary, load }]) => {
        return { name, summary, flags: { ...(await load()).flags, ...commonFlags } };
      });
      await terminal.print(renderers[shell as keyof typeof renderers](await Promise.all(entries)));
    },
  };
}
