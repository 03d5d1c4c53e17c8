import type { ListCaseName } from '../dataset/list-cases.ts';
import { listCaseNames, searchOfCase } from '../dataset/list-cases.ts';
import type { ListRates } from '../findings.ts';
import { median } from '../statistics.ts';
import { targets } from '../targets.ts';
import { compareRounds, isOpen, type Ratio, type Verdict, verdictOn } from './ratio.ts';

/** One case at one size: medians over the rounds. Ratios are taken within a round, then the median. */
export interface ListFigure {
  readonly case: ListCaseName;
  readonly size: number;
  readonly rawPerSecond: number;
  readonly subjectPerSecond: number;
  readonly ofRaw: Ratio;
  /** Processor time per request of the raw server over that of the subject. */
  readonly cpuOfRaw: number | undefined;
  /** Like `ofRaw`, with URLs that never repeat; undefined for cases with many queries. */
  readonly unrepeatedOfRaw: number | undefined;
  readonly target: number;
  readonly verdict: Verdict;
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
  readonly flat: Ratio;
  readonly unrepeatedFlat: number | undefined;
  readonly target: number;
  readonly verdict: Verdict;
}

export function listFigures(lists: readonly ListRates[]): ListFigure[] {
  return lists.map((rates) => {
    const subjectPerSecond = median(rates.subject);
    const ofRaw = compareRounds(rates.subject, rates.raw);
    const cpuRatios = rates.rawCpuUs.map((cpuUs, round) => cpuUs / rates.subjectCpuUs[round]!);
    const target = targets.ofRaw[rates.case];
    return {
      case: rates.case,
      size: rates.size,
      rawPerSecond: median(rates.raw),
      subjectPerSecond,
      ofRaw,
      unrepeatedOfRaw: medianOrNone(
        rates.unrepeated.map(({ round, perSecond }) => perSecond / rates.raw[round]!),
      ),
      cpuOfRaw: medianOrNone(cpuRatios),
      target,
      verdict: verdictOn(ofRaw, target),
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
    const flat = compareRounds(largest.subject, smallest.subject);
    const unrepeatedFlat = medianOrNone(
      largest.unrepeated.map(({ perSecond }, index) => perSecond / smallest.unrepeated[index]!.perSecond),
    );
    const sizes: FlatFigure['sizes'] = [smallest.size, largest.size];
    const target = searchOfCase[name] === undefined ? targets.flat : targets.flatSearch;
    return [{ case: name, sizes, flat, unrepeatedFlat, target, verdict: verdictOn(flat, target) }];
  });
}

/** Cases with an open verdict after all rounds. */
export function openCases(lists: readonly ListRates[]): Set<ListCaseName> {
  const figures = [...listFigures(lists), ...flatFigures(lists)];
  return new Set(figures.filter(({ verdict }) => isOpen(verdict)).map((figure) => figure.case));
}

function medianOrNone(values: readonly number[]): number | undefined {
  return values.length > 0 ? median(values) : undefined;
}
