const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** As `parseDuration` reads it, in the largest unit that fits. */
export function formatDuration(ms: number): string {
  const [unit, unitMs] = Object.entries(units).findLast(([, each]) => ms % each === 0)!;
  return `${ms / unitMs}${unit}`;
}

/** Milliseconds of a duration such as `90d`, `12h`, `30m` or `45s`; undefined for other texts. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^([0-9]{1,9})([smhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * units[unit!]!;
}
