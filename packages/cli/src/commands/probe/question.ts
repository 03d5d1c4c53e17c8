import type { Answer, Prober } from './prober.ts';

/** The station as read before the questions. */
export interface Site {
  readonly prober: Prober;
  /** The first resources, as the server sent them. */
  readonly sample: readonly RawResource[];
  readonly page: unknown;
  readonly total: number;
}

export type RawResource = Readonly<Record<string, unknown>>;

/** A behaviour that the interface leaves open. */
export interface OpenQuestion {
  readonly id: string;
  readonly question: string;
  /** What Roster does. */
  readonly ours: string;
  /** What this server does, in the words of `ours` if it is the same; undefined if undetermined. */
  find(site: Site): Promise<string | undefined>;
}

export interface Finding {
  readonly id: string;
  readonly question: string;
  readonly finding: string | null;
  readonly ours: string;
  /** Null if undetermined. */
  readonly same: boolean | null;
}

export function refusal({ status }: Answer): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  return status >= 400 ? `refused with ${status}` : `answered with ${status}`;
}

/** Undefined if the response has no list. */
export function rowsOf({ body }: Answer): readonly RawResource[] | undefined {
  const resources = body?.resources;
  return Array.isArray(resources) ? resources : resources === null ? [] : undefined;
}

export function totalOf({ body }: Answer): number | undefined {
  const page = body?.page as { total?: unknown } | null | undefined;
  const total = Number(page?.total ?? Number.NaN);
  return Number.isNaN(total) ? undefined : total;
}

/** The number of matches: the total, if there is one. */
export function countOf(answer: Answer): number | undefined {
  return totalOf(answer) ?? rowsOf(answer)?.length;
}

export function textOf(resource: RawResource | undefined, field: string): string {
  const value = resource?.[field];
  return typeof value === 'string' ? value : '';
}

export function typeOf(resource: RawResource | undefined): string {
  const type = resource?.resource_type as { key?: unknown } | undefined;
  return typeof type?.key === 'string' ? type.key : '';
}
