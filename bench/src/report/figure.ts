/** One reported number, with its target where there is one. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly text: string;
  readonly target?: Target;
}

interface Target {
  readonly text: string;
  readonly pass: boolean;
}

export function withTarget(figure: Figure, target: Target): Figure {
  return { ...figure, target };
}

export function verdict(figure: Figure): string {
  if (figure.target === undefined) return '';
  return figure.target.pass ? 'pass' : 'MISS';
}

export function atLeast(limit: number, value: number, text = String(limit)): Target {
  return { text: `≥ ${text}`, pass: value >= limit };
}

export function atMost(limit: number, value: number, text = String(limit)): Target {
  return { text: `≤ ${text}`, pass: value <= limit };
}
