import type { Command } from '../command/command.ts';
import { commonFlags, type Flag, type Flags } from '../command/flags.ts';
import { connectionFlags } from '../connection/connection.ts';
import { type Paint, plain } from '../terminal/paint.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { commandTable } from './command-table.ts';
import { findCommand, isGroup } from './find-command.ts';

const maxWidth = 100;

/** How to print. */
interface Look {
  readonly paint: Paint;
  readonly width: number;
}

const plainLook: Look = { paint: plain, width: maxWidth };

function lookOf({ paint, isTerminal, columns }: Terminal): Look {
  return { paint, width: isTerminal ? Math.min(maxWidth, columns) : maxWidth };
}

export async function showHelp(words: readonly string[], terminal: Terminal): Promise<void> {
  const look = lookOf(terminal);
  if (words.length === 0) return terminal.print(renderOverview(look));
  const [first] = words;
  if (words.length === 1 && isGroup(first!)) return terminal.print(renderGroup(first!, look));
  const { command } = await findCommand(words);
  await terminal.print(renderHelp(command, terminal));
}

/** The commands that begin with a word. */
function renderGroup(group: string, { paint, width }: Look): string {
  const entries = Object.entries(commandTable)
    .filter(([name]) => name.startsWith(`${group} `))
    .map(([name, { summary }]) => [name, summary] as const);
  return [
    paint('bold', 'Usage'),
    `  roster ${group} COMMAND [ARGUMENTS] [FLAGS]`,
    '',
    paint('bold', 'Commands'),
    ...renderPairs(entries, width),
    '',
    `See roster help ${group} COMMAND for one of them.`,
    '',
  ].join('\n');
}

function renderOverview({ paint, width }: Look): string {
  const entries = Object.entries(commandTable).map(([name, { summary }]) => [name, summary] as const);
  return [
    ...wrap(
      'roster: what a monitoring station watches, what is alerting, and what has no alert rules.',
      width,
    ),
    '',
    paint('bold', 'Usage'),
    '  roster COMMAND [ARGUMENTS] [FLAGS]',
    '',
    paint('bold', 'Commands'),
    ...renderPairs(entries, width),
    '',
    paint('bold', 'Connection'),
    ...renderPairs(
      [
        ['ROSTER_SERVER', 'server URL, like --server (default http://127.0.0.1:8080)'],
        ['ROSTER_TOKEN', 'bearer token, like --token'],
        ['ROSTER_STATION', 'default station, as subscription/resourceGroup/zone/name'],
        ['ROSTER_CONTEXT', 'saved connection, like --context'],
      ],
      width,
    ),
    '',
    paint('bold', 'Exit codes'),
    ...renderPairs(
      [
        ['0', 'success'],
        ['1', 'error; for diff and probe --strict: differences'],
        ['2', 'invalid command line'],
        ['3', 'station, resource, type or view not found'],
        ['4', 'denied: the token is missing, invalid or lacks permission'],
        ['5', 'server unreachable or not answering'],
        ['130', 'interrupted'],
      ],
      width,
    ),
    '',
    'See roster help COMMAND for one command, roster --version for the version.',
    '',
  ].join('\n');
}

export function renderHelp(command: Command, terminal: Terminal): string {
  const look = lookOf(terminal);
  const { paint, width } = look;
  const connection = usedConnectionFlags(command);
  return [
    ...renderUsage(command, look),
    ...(Object.keys(connection).length === 0
      ? []
      : [paint('bold', 'Connection flags'), ...renderFlags(connection, width), '']),
    paint('bold', 'Common flags'),
    ...renderFlags(commonFlags, width),
    '',
    ...renderExamples(command, paint),
  ].join('\n');
}

/** The reference describes the flags that many commands share only once. */
export function renderReference(command: Command): string {
  return [...renderUsage(command, plainLook), ...renderExamples(command, plain)].join('\n').trimEnd();
}

export function usedConnectionFlags({ flags }: Command): Flags {
  const shared: Flags = connectionFlags;
  return Object.fromEntries(Object.entries(flags).filter(([name, flag]) => flag === shared[name]));
}

function renderUsage(command: Command, { paint, width }: Look): string[] {
  const { name, usage, about, flags } = command;
  const connection = usedConnectionFlags(command);
  const own = Object.fromEntries(Object.entries(flags).filter(([flag]) => !Object.hasOwn(connection, flag)));
  return [
    paint('bold', 'Usage'),
    `  roster ${name} ${usage}`.trimEnd(),
    '',
    ...wrap(about, width),
    '',
    ...(Object.keys(own).length === 0 ? [] : [paint('bold', 'Flags'), ...renderFlags(own, width), '']),
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

export function renderFlags(flags: Flags, width = maxWidth): string[] {
  return renderPairs(
    Object.entries(flags).map(([name, flag]) => [flagUsage(name, flag), flagAbout(flag)] as const),
    width,
  );
}

function flagUsage(name: string, { type, short, value }: Flag): string {
  const long = type === 'string' ? `--${name} ${value ?? 'VALUE'}` : `--${name}`;
  return short === undefined ? `    ${long}` : `-${short}, ${long}`;
}

function flagAbout({ about, multiple }: Flag): string {
  return multiple === true ? `${about}; may be repeated` : about;
}

function renderPairs(pairs: readonly (readonly [string, string])[], width: number): string[] {
  const termWidth = Math.max(...pairs.map(([term]) => term.length));
  return pairs.flatMap(([term, text]) =>
    wrap(text, width - termWidth - 4).map(
      (line, at) => `  ${(at === 0 ? term : '').padEnd(termWidth)}  ${line}`,
    ),
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
