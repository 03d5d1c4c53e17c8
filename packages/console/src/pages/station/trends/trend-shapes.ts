import type { TrendPoint } from '@roster/client';
import { stateTone } from '../../../format/state.ts';

/** The states that a picture shows, from the bottom up. */
export const alertTones = ['firing', 'pending', 'other', 'suppressed'] as const;
export type AlertTone = (typeof alertTones)[number];

/** Paths in a space that has one unit of width for each point, and is 100 high. */
export interface TrendShapes {
  /** What the upper end of the first picture stands for. */
  readonly top: number;
  /** Where something is known. */
  readonly known: string;
  readonly alerts: Readonly<Record<AlertTone, string>>;
  readonly covered: string;
  readonly uncovered: string;
}

const height = 100;

/** What is there must be seen. */
const leastHeight = 3;

/** Many bars stand side by side without space. */
const maxSpaced = 60;

export function trendShapes(points: readonly TrendPoint[]): TrendShapes {
  const stacks = points.map(({ peaks }) => byTone(peaks ?? {}));
  const top = Math.max(1, ...stacks.map((stack) => alertTones.reduce((sum, tone) => sum + stack[tone], 0)));
  const width = points.length > maxSpaced ? 1 : 0.84;
  const bar = (at: number, from: number, to: number) =>
    `M${at + (1 - width) / 2} ${height - from}h${width}V${round(height - to)}h${-width}z`;
  const alerts = { firing: '', pending: '', other: '', suppressed: '' };
  const shapes = { known: '', covered: '', uncovered: '' };
  for (const [at, { hours, alertable, covered }] of points.entries()) {
    if (hours === 0) continue;
    shapes.known += `M${at} ${height}h1V0h-1z`;
    let base = 0;
    for (const tone of alertTones) {
      const count = stacks[at]![tone];
      if (count === 0) continue;
      const end = base + Math.max(leastHeight, (count / top) * (height - 2 * leastHeight));
      alerts[tone] += bar(at, round(base), end);
      base = end;
    }
    if (alertable === 0) continue;
    const share = visibleShare(covered!, alertable!);
    if (share > 0) shapes.covered += bar(at, 0, share);
    if (share < height) shapes.uncovered += bar(at, share, height);
  }
  return { top, alerts, ...shapes };
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
