import { expect, test } from 'vitest';
import { parseArguments } from './parse-arguments.ts';

test('without flags everything is measured at all sizes, Roster first', () => {
  const options = parseArguments([]);
  expect(options?.sizes).toEqual([10_000, 100_000, 1_000_000]);
  expect(options?.contenders).toEqual(['roster', 'baseline']);
  expect([...(options?.cases ?? [])]).toContain('import');
});

test('sizes and cases can be chosen, in any order', () => {
  const options = parseArguments(['--sizes', '100k,10k', '--cases', 'C4, C1,import']);
  expect(options?.sizes).toEqual([10_000, 100_000]);
  expect(options?.cases).toEqual(new Set(['C4', 'C1', 'import']));
});

test('--help asks for the usage text', () => {
  expect(parseArguments(['--help'])).toBeUndefined();
});

test.each([
  [['--speed']],
  [['now']],
  [['--sizes', '5k']],
  [['--cases', 'C9']],
  [['--cases', '']],
  [['--rounds', '0']],
  [['--rounds', 'many']],
  [['--load', 'ab']],
  [['--via', 'carrier pigeon']],
])('refuses %j and says what would be right', (args) => {
  expect(() => parseArguments(args)).toThrow(expect.objectContaining({ name: 'UsageError' }));
});

test('on PostgreSQL there are other cases, at one size', () => {
  const options = parseArguments(['--store', 'postgres']);
  expect(options?.sizes).toEqual([100_000]);
  expect([...(options?.cases ?? [])]).toContain('watchers');
  expect(() => parseArguments(['--store', 'postgres', '--cases', 'cold'])).toThrow(/--cases/);
  expect(() => parseArguments(['--cases', 'watchers'])).toThrow(/--cases/);
  expect(() => parseArguments(['--store', 'mysql'])).toThrow(/--store/);
});
