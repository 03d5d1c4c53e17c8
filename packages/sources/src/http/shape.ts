import { SourceFailure } from './source-failure.ts';

/** Text by name. */
export type Labels = Readonly<Record<string, string>>;

/** Readers of JSON that came from elsewhere. They throw `SourceFailure` for other shapes. */
export function listIn(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw unknownForm(what);
}

export function objectIn(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw unknownForm(what);
}

export function textIn(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw unknownForm(what);
}

export function labelsIn(value: unknown, what: string): Labels {
  const labels = value === undefined || value === null ? {} : objectIn(value, what);
  for (const name in labels) textIn(labels[name], what);
  return labels as Labels;
}

/** Milliseconds of a time such as `2026-01-31T08:00:00.123456789Z`, in a year of four digits. */
export function timeIn(value: unknown, what: string): number {
  const ms = Date.parse(textIn(value, what));
  if (ms >= firstMs && ms < endMs) return ms;
  throw unknownForm(what);
}

const firstMs = Date.parse('0000-01-01T00:00:00Z');
const endMs = Date.parse('+010000-01-01T00:00:00Z');

const longestUrl = 4_000;

/** A URL that people may follow; undefined for other schemes and for what is none. */
export function webUrlIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > longestUrl) return undefined;
  const url = URL.parse(value);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : undefined;
}

function unknownForm(what: string): SourceFailure {
  return new SourceFailure(`sent unexpected data: ${what}`);
}
