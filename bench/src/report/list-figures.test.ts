import { expect, test } from 'vitest';
import { flatFigures, isUnsettled, listFigures } from './list-figures.ts';

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

test('a ratio is taken within each round, so that a slow minute does not show', () => {
  const [figure] = listFigures([at(10_000, [100, 1000, 10], [90, 900, 9])]);
  expect(figure).toMatchObject({
    ofRaw: 0.9,
    pass: true,
    subjectPerSecond: 90,
    cpuOfRaw: 0.5,
    unrepeatedOfRaw: 0.45,
  });
});

test('flatness compares the largest size with the smallest', () => {
  const lists = [at(10_000, [1], [100, 200, 300]), at(1_000_000, [1], [80, 160, 240])];
  expect(flatFigures(lists)).toMatchObject([{ sizes: [10_000, 1_000_000], flat: 0.8, pass: false }]);
  expect(flatFigures(lists.slice(1))).toEqual([]);
});

test('rounds that contradict each other are called unsettled', () => {
  const figures = listFigures([at(10_000, [100, 100], [80, 90]), at(10_000, [100, 100], [36, 142])]);
  expect(figures.map(isUnsettled)).toEqual([false, true]);
});
