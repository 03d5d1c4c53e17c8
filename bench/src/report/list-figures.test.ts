import { expect, test } from 'vitest';
import { flatFigures, listFigures, openCases } from './list-figures.ts';

const at = (size: number, raw: number[], subject: number[]) => ({
  case: 'C1' as const,
  size,
  raw,
  subject,
  subjectP99Ms: [1],
  rawCpuUs: [10],
  subjectCpuUs: [20],
  unrepeated: [{ round: 0, perSecond: subject[0]! / 2 }],
  others: {},
});

test('a ratio is taken within each round, which hides a slow minute', () => {
  const [figure] = listFigures([at(10_000, [100, 1000, 10], [90, 900, 9])]);
  expect(figure).toMatchObject({
    ofRaw: { value: 0.9 },
    verdict: 'pass?',
    subjectPerSecond: 90,
    cpuOfRaw: 0.5,
    unrepeatedOfRaw: 0.45,
  });
});

test('flatness compares the largest size with the smallest', () => {
  const lists = [at(10_000, [1], [100, 200, 300]), at(1_000_000, [1], [80, 160, 240])];
  expect(flatFigures(lists)).toMatchObject([
    { sizes: [10_000, 1_000_000], flat: { value: 0.8 }, verdict: 'MISS?' },
  ]);
  expect(flatFigures(lists.slice(1))).toEqual([]);
});

test.each([
  [[90, 91, 95, 98, 99], 'pass'],
  [[70, 91, 95, 98, 99], 'pass?'],
  [[70, 71, 75, 78, 99], 'MISS?'],
  [[70, 71, 75, 78, 79], 'MISS'],
  [[90, 95, 98, 99], 'pass?'],
  [[70], 'MISS?'],
])('of a target of 80, rounds with %j say %s', (subject, verdict) => {
  const raw = subject.map(() => 100);
  expect(listFigures([at(10_000, raw, subject)])).toMatchObject([{ verdict }]);
});

test('a case is open when its ratio or its flatness is', () => {
  const raw = [100, 100, 100, 100, 100];
  const clear = at(10_000, raw, [95, 95, 95, 95, 95]);
  expect(openCases([clear])).toEqual(new Set());
  expect(openCases([at(10_000, raw, [70, 95, 95, 95, 95])])).toEqual(new Set(['C1']));
  expect(openCases([clear, at(1_000_000, [50, 50, 50, 50, 50], [70, 95, 95, 95, 95])])).toEqual(
    new Set(['C1']),
  );
});
