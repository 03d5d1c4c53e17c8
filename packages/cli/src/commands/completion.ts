import type { Command } from '../command.ts';
import { commandTable } from '../command-table.ts';
import { renderBash } from '../completion/bash.ts';
import { renderFish } from '../completion/fish.ts';
import { renderZsh } from '../completion/zsh.ts';
import { commonFlags } from '../run-command.ts';

const renderers = { bash: renderBash, zsh: renderZsh, fish: renderFish };
const shells = Object.keys(renderers);

export const completion: Command = {
  name: 'completion',
  usage: 'bash|zsh|fish',
  about: 'Prints a script that completes commands, flags and their values in a shell.',
  takes: [1, 1],
  flags: {},
  examples: [
    ['source <(roster completion bash)', 'in ~/.bashrc'],
    ['source <(roster completion zsh)', 'in ~/.zshrc, behind compinit'],
    ['roster completion fish > ~/.config/fish/completions/roster.fish', 'once'],
  ],
  async run({ given, terminal }) {
    const [shell = ''] = given.positionals;
    if (!Object.hasOwn(renderers, shell)) {
      const { UsageError } = await import('../errors.ts');
      throw new UsageError(`the shell must be one of ${shells.join(', ')}, got ${JSON.stringify(shell)}`);
    }
    const entries = Object.entries(commandTable).map(async ([name, { summary, load }]) => {
      return { name, summary, flags: { ...(await load()).flags, ...commonFlags } };
    });
    await terminal.print(renderers[shell as keyof typeof renderers](await Promise.all(entries)));
  },
};
