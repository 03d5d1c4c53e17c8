import type { TrendPoint } from '@roster/client';
import { stateTone } from '../../../format/state.ts';

/** The states that pictures show, the worst first. */
const alertTones = ['firing', 'pending', 'other', 'suppressed'] as const;
export type AlertTone = (typeof alertTones)[number];

/** What is not firing is stacked, from the bottom up. */
export const stackedTones = ['pending', 'other', 'suppressed'] as const;
type StackedTone = (typeof stackedTones)[number];

/** Paths in a space that has one unit of width for each point, and is 100 high. */
export interface TrendShapes {
  /** Where something is known. */
  readonly known: string;
  /** On a scale of its own, so that nothing hides a short spike. */
  readonly firing: {
    /** What the upper end of the picture stands for. */
    readonly top: number;
    /** At the end of each point. */
    readonly last: string;
    /** From there up to the most at once. */
    readonly peak: string;
    /** A line at the most at once. */
    readonly mark: string;
  };
  readonly stacked: { readonly top: number } & Readonly<Record<StackedTone, string>>;
  readonly covered: string;
  readonly uncovered: string;
}

const height = 100;

/** What is there must be seen. */
const leastHeight = 4;

/** Many bars stand side by side without space. */
const maxSpaced = 60;

export function trendShapes(points: readonly TrendPoint[]): TrendShapes {
  const stacks = points.map(({ peaks }) => byTone(peaks ?? {}));
  const most = (sum: (stack: (typeof stacks)[number]) => number) => Math.max(1, ...stacks.map(sum));
  const firing = { top: most((stack) => stack.firing), last: '', peak: '', mark: '' };
  const stacked = {
    top: most((stack) => stackedTones.reduce((sum, tone) => sum + stack[tone], 0)),
    pending: '',
    other: '',
    suppressed: '',
  };
  const shapes = { known: '', covered: '', uncovered: '' };
  const width = points.length > maxSpaced ? 1 : 0.84;
  const bar = (at: number, from: number, to: number) =>
    `M${at + (1 - width) / 2} ${round(height - from)}h${width}V${round(height - to)}h${-width}z`;
  for (const [at, { hours, alertable, covered, states }] of points.entries()) {
    if (hours === 0) continue;
    shapes.known += `M${at} ${height}h1V0h-1z`;
    const peak = heightOf(stacks[at]!.firing, firing.top);
    const last = Math.min(peak, heightOf(byTone(states!).firing, firing.top));
    if (last > 0) firing.last += bar(at, 0, last);
    if (peak > last) firing.peak += bar(at, last, peak);
    if (peak > 0) firing.mark += bar(at, peak - leastHeight, peak);
    let base = 0;
    for (const tone of stackedTones) {
      const end = base + heightOf(stacks[at]![tone], stacked.top);
      if (end > base) stacked[tone] += bar(at, base, end);
      base = end;
    }
    if (alertable === 0) continue;
    const share = visibleShare(covered!, alertable!);
    if (share > 0) shapes.covered += bar(at, 0, share);
    if (share < height) shapes.uncovered += bar(at, share, height);
  }
  return { firing, stacked, ...shapes };
}

/** Three that are just visible may stand on top of each other. */
function heightOf(count: number, top: number): number {
  return count === 0 ? 0 : Math.max(leastHeight, (count / top) * (height - 2 * leastHeight));
}

/** The newest of the points at which the most were firing; undefined if nothing was. */
export function peakOf(points: readonly TrendPoint[]): TrendPoint | undefined {
  const firing = (point: TrendPoint) => byTone(point.peaks ?? {}).firing;
  const most = Math.max(0, ...points.map(firing));
  return most === 0 ? undefined : points.findLast((point) => firing(point) === most);
}

/** How many are in each tone. */
export function byTone(states: Readonly<Record<string, number>>): Record<AlertTone, number> {
  const counts = { firing: 0, pending: 0, other: 0, suppressed: 0 };
  for (const [state, count] of Object.entries(states)) {
    const tone = stateTone(state);
    if (tone !== 'inactive') counts[tone] += count;
  }
  return counts;
}

/** Firing and pending always; the others only where there were any. */
export function shownTones(points: readonly TrendPoint[]): AlertTone[] {
  const most = points.map(({ peaks }) => byTone(peaks ?? {}));
  return alertTones.filter(
    (tone) => tone === 'firing' || tone === 'pending' || most.some((counts) => counts[tone] > 0),
  );
}

/** Full or empty only if that is exact. */
function visibleShare(part: number, whole: number): number {
  if (part === 0 || part === whole) return part === 0 ? 0 : height;
  return round(Math.min(height - leastHeight, Math.max(leastHeight, (part / whole) * height)));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
