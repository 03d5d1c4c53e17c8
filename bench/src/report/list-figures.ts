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
  /** The lowest and the highest ratio of a round. */
  readonly ofRawRange: readonly [min: number, max: number];
  /** Processor time per request of the raw server over that of the subject. */
  readonly cpuOfRaw: number | undefined;
  /** As `ofRaw`, under URLs that do not repeat; a case of many queries has no other. */
  readonly unrepeatedOfRaw: number | undefined;
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
  readonly unrepeatedFlat: number | undefined;
  readonly pass: boolean;
}

export function listFigures(lists: readonly ListRates[]): ListFigure[] {
  return lists.map((rates) => {
    const subjectPerSecond = median(rates.subject);
    const ratios = rates.subject.map((rate, round) => rate / rates.raw[round]!);
    const ofRaw = median(ratios);
    const cpuRatios = rates.rawCpuUs.map((cpuUs, round) => cpuUs / rates.subjectCpuUs[round]!);
    const target = targets.ofRaw[rates.case];
    return {
      case: rates.case,
      size: rates.size,
      rawPerSecond: median(rates.raw),
      subjectPerSecond,
      ofRaw,
      ofRawRange: [Math.min(...ratios), Math.max(...ratios)],
      unrepeatedOfRaw: medianOrNone(
        rates.unrepeated.map(({ round, perSecond }) => perSecond / rates.raw[round]!),
      ),
      cpuOfRaw: medianOrNone(cpuRatios),
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

/** A round that differs from another by this much says more about the machine than about the server. */
const calmSpread = 1.3;

export function isUnsettled({ ofRawRange: [min, max] }: ListFigure): boolean {
  return max > min * calmSpread;
}

export function flatFigures(lists: readonly ListRates[]): FlatFigure[] {
  return listCaseNames.flatMap((name) => {
    const bySize = lists.filter((rates) => rates.case === name).sort((a, b) => a.size - b.size);
    const [smallest, largest] = [bySize[0], bySize.at(-1)];
    if (smallest === undefined || largest === undefined || smallest === largest) return [];
    const flat = median(largest.subject.map((rate, round) => rate / smallest.subject[round]!));
    const unrepeatedFlat = medianOrNone(
      largest.unrepeated.map(({ perSecond }, index) => perSecond / smallest.unrepeated[index]!.perSecond),
    );
    const sizes: FlatFigure['sizes'] = [smallest.size, largest.size];
    return [{ case: name, sizes, flat, unrepeatedFlat, pass: flat >= targets.flat }];
  });
}

function medianOrNone(values: readonly number[]): number | undefined {
  return values.length > 0 ? median(values) : undefined;
}
