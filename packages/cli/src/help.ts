import type { Command, Flag, Flags } from './command.ts';
import { commandTable } from './command-table.ts';
import type { Paint } from './output/paint.ts';
import { commonFlags, findCommand } from './run-command.ts';
import type { Terminal } from './terminal.ts';

const helpWidth = 100;

export async function showHelp(words: readonly string[], terminal: Terminal): Promise<void> {
  if (words.length === 0) return terminal.print(renderOverview(terminal.paint));
  const names = Object.keys(commandTable).filter((name) => name.startsWith(`${words[0]} `));
  if (words.length === 1 && names.length > 0) {
    for (const name of names)
      await terminal.print(renderHelp(await commandTable[name]!.load(), terminal.paint));
    return;
  }
  const { command } = await findCommand(words);
  await terminal.print(renderHelp(command, terminal.paint));
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
      ['ROSTER_SERVER', 'where the server is; http://127.0.0.1:8080 unless set, or --server'],
      ['ROSTER_TOKEN', 'bearer token, or --token'],
      ['ROSTER_STATION', 'the station, as subscription/resourceGroup/zone/name, for commands without one'],
      ['ROSTER_CONTEXT', 'a connection from roster context set, or --context'],
    ]),
    '',
    paint('bold', 'Exit codes'),
    ...renderPairs([
      ['0', 'fine'],
      ['1', 'error; of diff and probe --strict, differences'],
      ['2', 'wrong use of the command'],
      ['3', 'station, resource or type not found'],
      ['4', 'denied: the token is missing, wrong or not enough'],
      ['5', 'the server cannot be reached, or does not answer'],
    ]),
    '',
    'roster help COMMAND shows one command, roster --version the version.',
    '',
  ].join('\n');
}

export function renderHelp({ name, usage, about, flags, examples }: Command, paint: Paint): string {
  const lines = [
    paint('bold', 'Usage'),
    `  roster ${name} ${usage}`.trimEnd(),
    '',
    ...wrap(about, helpWidth),
    '',
    paint('bold', 'Flags'),
    ...renderPairs(flagPairs({ ...flags, ...commonFlags })),
    '',
    paint('bold', 'Examples'),
    ...examples.flatMap(([line, effect]) => [`  ${line}`, `      ${paint('dim', effect)}`]),
    '',
  ];
  return `${lines.join('\n')}\n`;
}

function flagPairs(flags: Flags): [string, string][] {
  return Object.entries(flags).map(([name, flag]) => [flagUsage(name, flag), flagAbout(flag)]);
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

/** Lines of at most `width` characters; a line break in the text stays one. */
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
