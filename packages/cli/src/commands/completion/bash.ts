import type { Flags } from '../../command/flags.ts';
import { type CompletedCommand, groupWords } from './completed-command.ts';

/** Completes commands, flags and choices, and file names for everything else. */
export function renderBash(commands: readonly CompletedCommand[]): string {
  const groups = groupWords(commands);
  const subcommands = [...groups].filter(([, words]) => words.length > 0);
  return `# bash completion of roster
_roster() {
  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "${[...groups.keys(), '--help', '--version'].join(' ')}" -- "$word"))
    return
  fi
  case $command in
${subcommands.map(([first, words]) => renderGroup(first, words)).join('\n')}
  esac
  case "$command $previous" in
${commands.flatMap(({ name, flags }) => renderChoices(name, flags)).join('\n')}
    "completion completion") COMPREPLY=($(compgen -W "bash zsh fish" -- "$word")); return ;;
  esac
  if [[ $word == -* ]]; then
    local flags=
    case $command in
${commands.map(({ name, flags }) => `      ${quoted(name)}) flags="${flagWords(flags)}" ;;`).join('\n')}
    esac
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
  fi
}
complete -o default -F _roster roster
`;
}

function renderGroup(first: string, words: readonly string[]): string {
  return `    ${first})
      if [[ $COMP_CWORD -eq 2 ]]; then
        COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$word"))
        return
      fi
      command="$command \${COMP_WORDS[2]}" ;;`;
}

function renderChoices(name: string, flags: Flags): string[] {
  return Object.entries(flags).flatMap(([flag, { choices, short }]) => {
    if (choices === undefined) return [];
    const patterns = [`"${name} --${flag}"`, ...(short === undefined ? [] : [`"${name} -${short}"`])].join(
      '|',
    );
    return [`    ${patterns}) COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$word")); return ;;`];
  });
}

function flagWords(flags: Flags): string {
  return Object.keys(flags)
    .map((flag) => `--${flag}`)
    .join(' ');
}

function quoted(name: string): string {
  return name.includes(' ') ? `"${name}"` : name;
}
