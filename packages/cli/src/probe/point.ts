import type { Answer, Prober } from './prober.ts';

/** What is known of the station before the questions begin. */
export interface Site {
  readonly prober: Prober;
  /** The first resources, as the server sent them. */
  readonly sample: readonly RawResource[];
  readonly page: unknown;
  readonly total: number;
}

export type RawResource = Readonly<Record<string, unknown>>;

/** One thing that the interface leaves open. */
export interface Point {
  readonly id: string;
  readonly question: string;
  /** What Roster does. */
  readonly ours: string;
  /** What this server does, in the same words where it is the same; undefined where that cannot be seen. */
  find(site: Site): Promise<string | undefined>;
}

export interface Finding {
  readonly id: string;
  readonly question: string;
  readonly finding: string | null;
  readonly ours: string;
  /** Null where it could not be found out. */
  readonly same: boolean | null;
}

export function refusal({ status }: Answer): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  return status >= 400 ? `refused with ${status}` : `answered with ${status}`;
}

/** Undefined where the answer has no list. */
export function rowsOf({ body }: Answer): readonly RawResource[] | undefined {
  const resources = body?.resources;
  return Array.isArray(resources) ? resources : resources === null ? [] : undefined;
}

export function totalOf({ body }: Answer): number | undefined {
  const page = body?.page as { total?: unknown } | null | undefined;
  const total = Number(page?.total ?? Number.NaN);
  return Number.isNaN(total) ? undefined : total;
}

/** How many match, by the total where there is one. */
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
