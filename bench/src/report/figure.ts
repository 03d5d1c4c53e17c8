import { type Ratio, type Verdict, verdictOn } from './ratio.ts';

/** One reported number, with its target where there is one. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly text: string;
  readonly target?: Target;
}

interface Target {
  readonly text: string;
  readonly verdict: Verdict;
}

export function withTarget(figure: Figure, target: Target): Figure {
  return { ...figure, target };
}

export function atLeast(limit: number, value: number, text = String(limit)): Target {
  return { text: `≥ ${text}`, verdict: value >= limit ? 'pass' : 'MISS' };
}

export function atMost(limit: number, value: number, text = String(limit)): Target {
  return { text: `≤ ${text}`, verdict: value <= limit ? 'pass' : 'MISS' };
}

export function below(limit: number, value: number, text = String(limit)): Target {
  return { text: `< ${text}`, verdict: value < limit ? 'pass' : 'MISS' };
}

export function ratioAtLeast(limit: number, ratio: Ratio): Target {
  return { text: `≥ ${limit.toFixed(2)}`, verdict: verdictOn(ratio, limit) };
}
