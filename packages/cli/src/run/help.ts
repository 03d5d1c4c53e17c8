import type { Command } from '../command/command.ts';
import { commonFlags, type Flag, type Flags } from '../command/flags.ts';
import { connectionFlags } from '../connection/connection.ts';
import { type Paint, plain } from '../terminal/paint.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { commandTable } from './command-table.ts';
import { findCommand, isGroup } from './find-command.ts';

const helpWidth = 100;

export async function showHelp(words: readonly string[], terminal: Terminal): Promise<void> {
  if (words.length === 0) return terminal.print(renderOverview(terminal.paint));
  const [first] = words;
  if (words.length === 1 && isGroup(first!)) return terminal.print(renderGroup(first!, terminal.paint));
  const { command } = await findCommand(words);
  await terminal.print(renderHelp(command, terminal.paint));
}

/** The commands that begin with a word. */
function renderGroup(group: string, paint: Paint): string {
  const entries = Object.entries(commandTable)
    .filter(([name]) => name.startsWith(`${group} `))
    .map(([name, { summary }]) => [name, summary] as const);
  return [
    paint('bold', 'Usage'),
    `  roster ${group} COMMAND [ARGUMENTS] [FLAGS]`,
    '',
    paint('bold', 'Commands'),
    ...renderPairs(entries),
    '',
    `See roster help ${group} COMMAND for one of them.`,
    '',
  ].join('\n');
}

function renderOverview(paint: Paint): string {
  const entries = Object.entries(commandTable).map(([name, { summary }]) => [name, summary] as const);
  return [
    'roster: what a monitoring station watches, what is alerting, and what has no alert rules.',
    '',
    paint('bold', 'Usage'),
    '  roster COMMAND [ARGUMENTS] [FLAGS]',
    '',
    paint('bold', 'Commands'),
    ...renderPairs(entries),
    '',
    paint('bold', 'Connection'),
    ...renderPairs([
      ['ROSTER_SERVER', 'server URL, like --server (default http://127.0.0.1:8080)'],
      ['ROSTER_TOKEN', 'bearer token, like --token'],
      ['ROSTER_STATION', 'default station, as subscription/resourceGroup/zone/name'],
      ['ROSTER_CONTEXT', 'saved connection, like --context'],
    ]),
    '',
    paint('bold', 'Exit codes'),
    ...renderPairs([
      ['0', 'success'],
      ['1', 'error; for diff and probe --strict: differences'],
      ['2', 'invalid command line'],
      ['3', 'station, resource, type or view not found'],
      ['4', 'denied: the token is missing, invalid or lacks permission'],
      ['5', 'server unreachable or not answering'],
    ]),
    '',
    'See roster help COMMAND for one command, roster --version for the version.',
    '',
  ].join('\n');
}

export function renderHelp(command: Command, paint: Paint): string {
  const connection = usedConnectionFlags(command);
  return [
    ...renderUsage(command, paint),
    ...(Object.keys(connection).length === 0
      ? []
      : [paint('bold', 'Connection flags'), ...renderFlags(connection), '']),
    paint('bold', 'Common flags'),
    ...renderFlags(commonFlags),
    '',
    ...renderExamples(command, paint),
  ].join('\n');
}

/** The reference describes the flags that many commands share only once. */
export function renderReference(command: Command): string {
  return [...renderUsage(command, plain), ...renderExamples(command, plain)].join('\n').trimEnd();
}

export function usedConnectionFlags({ flags }: Command): Flags {
  const shared: Flags = connectionFlags;
  return Object.fromEntries(Object.entries(flags).filter(([name, flag]) => flag === shared[name]));
}

function renderUsage(command: Command, paint: Paint): string[] {
  const { name, usage, about, flags } = command;
  const connection = usedConnectionFlags(command);
  const own = Object.fromEntries(Object.entries(flags).filter(([flag]) => !Object.hasOwn(connection, flag)));
  return [
    paint('bold', 'Usage'),
    `  roster ${name} ${usage}`.trimEnd(),
    '',
    ...wrap(about, helpWidth),
    '',
    ...(Object.keys(own).length === 0 ? [] : [paint('bold', 'Flags'), ...renderFlags(own), '']),
  ];
}

function renderExamples({ examples }: Command, paint: Paint): string[] {
  return [
    paint('bold', 'Examples'),
    ...examples.flatMap(([line, effect]) => [`  ${line}`, `      ${paint('dim', effect)}`]),
    '',
    '',
  ];
}

export function renderFlags(flags: Flags): string[] {
  return renderPairs(
    Object.entries(flags).map(([name, flag]) => [flagUsage(name, flag), flagAbout(flag)] as const),
  );
}

function flagUsage(name: string, { type, short, value }: Flag): string {
  const long = type === 'string' ? `--${name} ${value ?? 'VALUE'}` : `--${name}`;
  return short === undefined ? `    ${long}` : `-${short}, ${long}`;
}

function flagAbout({ about, multiple }: Flag): string {
  return multiple === true ? `${about}; may be repeated` : about;
}

function renderPairs(pairs: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...pairs.map(([term]) => term.length));
  return pairs.flatMap(([term, text]) =>
    wrap(text, helpWidth - width - 4).map((line, at) => `  ${(at === 0 ? term : '').padEnd(width)}  ${line}`),
  );
}

/** Lines of at most `width` characters; line breaks in the text are kept. */
function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines = [''];
    for (const word of paragraph.split(' ')) {
      const line = lines.at(-1)!;
      if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
      else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    }
    return lines;
  });
}
