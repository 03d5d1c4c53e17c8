import type { Answer } from './prober.ts';
import { countOf, type OpenQuestion, refusal, rowsOf, type Site, textOf, totalOf } from './question.ts';

/** Longer lists are not requested as a whole. */
const maxWholeList = 20_000;
const manyRows = 1001;

export const pagingQuestions: readonly OpenQuestion[] = [
  {
    id: 'null-page',
    question: 'What comes without page parameters?',
    ours: 'the whole list, page null',
    async find({ prober, total }) {
      if (total > maxWholeList) return undefined;
      const answer = await prober.ask('');
      const rows = rowsOf(answer)?.length ?? 0;
      const page = answer.body?.page;
      const shown = page === null ? 'page null' : page === undefined ? 'no page' : 'a page object';
      return refusal(answer) ?? `${rows === total ? 'the whole list' : 'a part of the list'}, ${shown}`;
    },
  },
  {
    id: 'default-size',
    question: 'How many come when only an offset is given?',
    ours: '50',
    async find({ prober, total }) {
      const answer = await prober.ask('page.offset=0');
      const rows = rowsOf(answer)?.length;
      return refusal(answer) ?? (rows === total ? undefined : String(rows));
    },
  },
  {
    id: 'size-zero',
    question: 'What does page.size=0 give?',
    ours: 'no rows, the total',
    find: (site) => describeRows(site, 'page.offset=0&page.size=0'),
  },
  {
    id: 'past-end',
    question: 'What comes behind the last resource?',
    ours: 'no rows, the total',
    find: (site) => describeRows(site, `page.offset=${site.total + 1000}&page.size=7`),
  },
  {
    id: 'size-meaning',
    question: 'What is page.size in an answer with fewer rows than asked for?',
    ours: 'the size asked for',
    async find({ prober, total }) {
      if (total === 0) return undefined;
      const answer = await prober.ask(`page.offset=${total - 1}&page.size=7`);
      const size = Number((answer.body?.page as { size?: unknown } | null)?.size ?? Number.NaN);
      if (size === 7) return 'the size asked for';
      return refusal(answer) ?? (size === rowsOf(answer)?.length ? 'the rows given' : `${size}`);
    },
  },
  {
    id: 'size-limit',
    question: `What does page.size=${manyRows} do?`,
    ours: 'refused with 400',
    async find({ prober, total }) {
      const answer = await prober.ask(`page.offset=0&page.size=${manyRows}`);
      const rows = rowsOf(answer)?.length ?? 0;
      return refusal(answer) ?? (rows < Math.min(total, manyRows) ? `cut to ${rows}` : 'accepted');
    },
  },
  {
    id: 'not-a-number',
    question: 'What does page.size=abc do?',
    ours: 'refused with 400',
    find: (site) => describeAcceptance(site, 'page.offset=0&page.size=abc'),
  },
  {
    id: 'negative',
    question: 'What does page.offset=-1 do?',
    ours: 'refused with 400',
    find: (site) => describeAcceptance(site, 'page.offset=-1&page.size=2'),
  },
  {
    id: 'given-twice',
    question: 'What if page.size is given twice?',
    ours: 'refused with 400',
    async find({ prober, total }) {
      const answer = await prober.ask('page.offset=0&page.size=1&page.size=2');
      const rows = rowsOf(answer)?.length;
      const which = rows === 1 ? 'the first counts' : rows === 2 ? 'the last counts' : 'neither counts';
      return refusal(answer) ?? (total < 2 ? undefined : which);
    },
  },
  {
    id: 'total-sent-back',
    question: 'What does page.total in a request do?',
    ours: 'nothing',
    async find({ prober, total }) {
      const answer = await prober.ask('page.offset=0&page.size=2&page.total=999999');
      return refusal(answer) ?? (totalOf(answer) === total ? 'nothing' : 'it changes the total');
    },
  },
  {
    id: 'page-numbers',
    question: 'What are the numbers of page?',
    ours: 'numbers',
    async find({ page }) {
      const values = Object.values((page ?? {}) as Record<string, unknown>);
      if (values.length === 0) return undefined;
      return values.every((value) => typeof value === 'number') ? 'numbers' : 'strings';
    },
  },
  {
    id: 'stable-paging',
    question: 'Do pages continue each other?',
    ours: 'yes',
    find: comparePages,
  },
];

async function describeRows({ prober, total }: Site, query: string): Promise<string | undefined> {
  const answer = await prober.ask(query);
  const rows = rowsOf(answer)?.length === 0 ? 'no rows' : 'rows';
  return refusal(answer) ?? `${rows}, ${totalOf(answer) === total ? 'the total' : 'another total'}`;
}

async function describeAcceptance({ prober }: Site, query: string): Promise<string> {
  const answer: Answer = await prober.ask(query);
  return refusal(answer) ?? (countOf(answer) === undefined ? 'no list' : 'ignored');
}

/** Pages of three must match the larger page read first. */
async function comparePages({ prober, sample }: Site): Promise<string | undefined> {
  if (sample.length < 6) return undefined;
  const ids: string[] = [];
  for (const offset of [0, 3]) {
    const rows = rowsOf(await prober.ask(`page.offset=${offset}&page.size=3`)) ?? [];
    ids.push(...rows.map((row) => textOf(row, 'resource_id')));
  }
  const expected = sample.slice(0, 6).map((row) => textOf(row, 'resource_id'));
  return ids.join('\n') === expected.join('\n') ? 'yes' : 'no';
}
