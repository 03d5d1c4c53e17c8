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

it('writes them to a file, each with its place', () => {
  const [first] = faults;
  expect(faultsAsCsv([first!]).split('\r\n')[1]).toBe('2,4,"state","state must be text, got ""a"""');
});
