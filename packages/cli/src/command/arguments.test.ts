import { expect, it } from 'vitest';
import { Arguments } from './arguments.ts';
import type { Flags } from './flags.ts';

const flags: Flags = {
  output: { type: 'string', short: 'o', choices: ['json', 'table'], about: '' },
  type: { type: 'string', multiple: true, about: '' },
  limit: { type: 'string', value: 'N', about: '' },
  count: { type: 'boolean', about: '' },
};

it('reads flags before, between and behind arguments', () => {
  const given = Arguments.parse(['--count', 'a', '-o', 'json', 'b', '--type=x,y', '--type', 'z'], flags);
  expect(given.positionals).toEqual(['a', 'b']);
  expect(given.isSet('count')).toBe(true);
  expect(given.text('output')).toBe('json');
  expect(given.list('type')).toEqual(['x', 'y', 'z']);
});

it('takes everything behind -- for arguments', () => {
  expect(Arguments.parse(['--', '--count'], flags).positionals).toEqual(['--count']);
});

it('takes a single dash for an argument or a value', () => {
  const given = Arguments.parse(['-', '--type', '-'], flags);
  expect(given.positionals).toEqual(['-']);
  expect(given.all('type')).toEqual(['-']);
});

it.each([
  [['--typ', 'x'], 'unknown flag --typ'],
  [['-x'], 'unknown flag -x'],
  [['--constructor'], 'unknown flag --constructor'],
  [['--limit'], '--limit needs a value: --limit N'],
  [['--limit', '--count'], '--limit needs a value: --limit N'],
  [['--limit='], '--limit needs a value: --limit N'],
  [['--type', ''], '--type needs a value: --type VALUE'],
  [['--count=yes'], '--count takes no value, got "yes"'],
  [['--limit', '1', '--limit', '2'], '--limit may be given only once'],
  [['-o', 'xml'], '-o must be one of json, table, got "xml"'],
])('refuses %j', (words, message) => {
  expect(() => Arguments.parse(words, flags)).toThrow(message);
});

it.each(['-1', '1.5', 'abc', '1e3', ' '])('refuses %j as a count', (text) => {
  const given = Arguments.parse([`--limit=${text}`], flags);
  expect(() => given.count('limit')).toThrow(
    `--limit must be a whole number of at least 0, got ${JSON.stringify(text)}`,
  );
});
