import type { ListCaseName } from '../dataset/list-cases.ts';
import { listCaseNames } from '../dataset/list-cases.ts';
import type { ListRates } from '../measure/findings.ts';
import { median } from './statistics.ts';
import { targets } from './targets.ts';

/** One case at one size: medians over the rounds. Ratios are taken within a round, then the median. */
export interface ListFigure {
  readonly case: ListCaseName;
  readonly size: number;
  readonly rawPerSecond: number;
  readonly subjectPerSecond: number;
  readonly ofRaw: number;
  readonly target: number;
  readonly pass: boolean;
  readonly p99Ms: number;
  readonly others: readonly OtherFigure[];
}

interface OtherFigure {
  readonly name: string;
  readonly perSecond: number;
  /** How many times faster the subject is. */
  readonly subjectTimes: number;
}

/** Rate at the largest size over rate at the smallest, of one case. */
export interface FlatFigure {
  readonly case: ListCaseName;
  readonly sizes: readonly [smallest: number, largest: number];
  readonly flat: number;
  readonly pass: boolean;
}

export function listFigures(lists: readonly ListRates[]): ListFigure[] {
  return lists.map((rates) => {
    const subjectPerSecond = median(rates.subject);
    const ofRaw = median(rates.subject.map((rate, round) => rate / rates.raw[round]!));
    const target = targets.ofRaw[rates.case];
    return {
      case: rates.case,
      size: rates.size,
      rawPerSecond: median(rates.raw),
      subjectPerSecond,
      ofRaw,
      target,
      pass: ofRaw >= target,
      p99Ms: median(rates.subjectP99Ms),
      others: Object.entries(rates.others).map(([name, slices]) => {
        const perSecond = median(slices);
        return { name, perSecond, subjectTimes: subjectPerSecond / perSecond };
      }),
    };
  });
}

export function flatFigures(lists: readonly ListRates[]): FlatFigure[] {
  return listCaseNames.flatMap((name) => {
    const bySize = lists.filter((rates) => rates.case === name).sort((a, b) => a.size - b.size);
    const [smallest, largest] = [bySize[0], bySize.at(-1)];
    if (smallest === undefined || largest === undefined || smallest === largest) return [];
    const flat = median(largest.subject.map((rate, round) => rate / smallest.subject[round]!));
    return [{ case: name, sizes: [smallest.size, largest.size], flat, pass: flat >= targets.flat }];
  });
}
