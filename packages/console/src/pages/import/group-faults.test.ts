import { expect, it } from 'vitest';
import { faultsAsCsv, groupFaults } from './group-faults.ts';

const faults = [
  { line: 2, column: 4, field: 'state', reason: 'state must be text, got "a"' },
  { line: 3, column: 9, field: 'resource_type', reason: 'must have the form x, got "vm"' },
  { line: 7, column: 9, field: 'resource_type', reason: 'must have the form x, got "g\\"pu"' },
  { line: 8, reason: 'the line has 3 columns, not 4' },
  { line: 9, reason: 'the line has 5 columns, not 4' },
  { line: 10, reason: 'the line has 6 columns, not 4' },
];

it('groups faults by cause, most frequent first', () => {
  const groups = groupFaults(faults).map(({ field, faults: some }) => [field, some.map(({ line }) => line)]);
  expect(groups).toEqual([
    [undefined, [8, 9, 10]],
    ['resource_type', [3, 7]],
    ['state', [2]],
  ]);
});

it('names the values of a group, and says where it shows one reason for several', () => {
  const cause = 'must be a whole number between 0 and 2147483647, got';
  const group = (...reasons: string[]) =>
    groupFaults(reasons.map((reason, at) => ({ line: at + 2, field: 'alert_rules_count', reason }))).map(
      ({ reason, isExample }) => [reason, isExample],
    );
  expect(group(`${cause} "-1"`, `${cause} "x"`, `${cause} "x"`)).toEqual([[`${cause} "-1", "x"`, false]]);
  expect(group(`${cause} "a, got \\"b\\""`)).toEqual([[`${cause} "a, got \\"b\\""`, false]]);
  expect(group(...[1, 2, 3, 4].map((value) => `${cause} "-${value}"`))).toEqual([
    [`${cause} "-1", "-2", "-3", …`, false],
  ]);
  expect(group('is required', 'is required')).toEqual([['is required', false]]);
  expect(group('has 3 cells; the header has 4', 'has 5 cells; the header has 4')).toEqual([
    ['has 3 cells; the header has 4', true],
  ]);
});

it('writes them to a file, each with its place', () => {
  const [first] = faults;
  expect(faultsAsCsv([first!]).split('\r\n')[1]).toBe('2,4,"state","state must be text, got ""a"""');
});
