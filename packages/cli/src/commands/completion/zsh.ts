import type { Flag } from '../../command/flags.ts';
import { type CompletedCommand, groupWords } from './completed-command.ts';

export function renderZsh(commands: readonly CompletedCommand[]): string {
  const groups = groupWords(commands);
  const subcommands = [...groups].filter(([, words]) => words.length > 0);
  return `#compdef roster
# zsh completion of roster
_roster() {
  if (( CURRENT == 2 )); then
    compadd -- ${[...groups.keys(), '--help', '--version'].join(' ')}
    return
  fi
  local command=$words[2]
  case $command in
${subcommands.map(([first, words]) => renderGroup(first, words)).join('\n')}
  esac
  case $command in
${commands.map(renderCommand).join('\n')}
    *) _files ;;
  esac
}
compdef _roster roster
`;
}

function renderGroup(first: string, words: readonly string[]): string {
  return `    ${first})
      if (( CURRENT == 3 )); then
        compadd -- ${words.join(' ')}
        return
      fi
      command="$command $words[3]" ;;`;
}

function renderCommand({ name, flags }: CompletedCommand): string {
  const specs = Object.entries(flags).flatMap(([flag, each]) => renderFlag(flag, each));
  const rest = name === 'completion' ? "'*:shell:(bash zsh fish)'" : "'*:argument:_files'";
  return `    '${name}') _arguments ${[...specs, rest].join(' ')} ;;`;
}

function renderFlag(flag: string, { type, short, multiple, choices, value = '', about }: Flag): string[] {
  const text = `[${escapeSpec(about)}]`;
  const values = choices === undefined ? '_files' : `(${choices.join(' ')})`;
  const argument = type === 'string' ? `:${escapeSpec(value)}:${values}` : '';
  const mark = multiple === true ? '*' : '';
  const names = [`--${flag}`, ...(short === undefined ? [] : [`-${short}`])];
  return names.map((name) => `'${mark}${name}${text}${argument}'`);
}

function escapeSpec(text: string): string {
  return text.replace(/[[\]:\\]/g, '\\$&').replaceAll("'", "'\\''");
}
