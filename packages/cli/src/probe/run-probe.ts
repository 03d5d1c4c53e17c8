import { dataPoints } from './data-points.ts';
import { filterPoints } from './filter-points.ts';
import { httpPoints } from './http-points.ts';
import { pagingPoints } from './paging-points.ts';
import { type Finding, type Point, rowsOf, type Site, totalOf } from './point.ts';
import type { Prober } from './prober.ts';

const sampleQuery = 'page.offset=0&page.size=20';

export const points: readonly Point[] = [...pagingPoints, ...filterPoints, ...dataPoints, ...httpPoints];

/** Goes through every point, one request after the other. */
export async function* runProbe(prober: Prober): AsyncGenerator<Finding, void, undefined> {
  const site = await readSite(prober);
  for (const { id, question, ours, find } of points) {
    const finding = (await find(site)) ?? null;
    yield { id, question, finding, ours, same: finding === null ? null : finding === ours };
  }
}

async function readSite(prober: Prober): Promise<Site> {
  const answer = await prober.ask(sampleQuery);
  const sample = rowsOf(answer) ?? [];
  return { prober, sample, page: answer.body?.page, total: totalOf(answer) ?? sample.length };
}
