import { dataQuestions } from './data-questions.ts';
import { filterQuestions } from './filter-questions.ts';
import { httpQuestions } from './http-questions.ts';
import { pagingQuestions } from './paging-questions.ts';
import type { Prober } from './prober.ts';
import { type Finding, type OpenQuestion, rowsOf, type Site, totalOf } from './question.ts';

const sampleQuery = 'page.offset=0&page.size=20';

export const questions: readonly OpenQuestion[] = [
  ...pagingQuestions,
  ...filterQuestions,
  ...dataQuestions,
  ...httpQuestions,
];

/** Asks every question, one after the other. */
export async function* runProbe(prober: Prober): AsyncGenerator<Finding, void, undefined> {
  const site = await readSite(prober);
  for (const { id, question, ours, find } of questions) {
    const finding = (await find(site)) ?? null;
    yield { id, question, finding, ours, same: finding === null ? null : finding === ours };
  }
}

async function readSite(prober: Prober): Promise<Site> {
  const answer = await prober.ask(sampleQuery);
  const sample = rowsOf(answer) ?? [];
  return { prober, sample, page: answer.body?.page, total: totalOf(answer) ?? sample.length };
}
