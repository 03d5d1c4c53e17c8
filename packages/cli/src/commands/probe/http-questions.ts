import type { Answer } from './prober.ts';
import { type OpenQuestion, refusal, rowsOf } from './question.ts';

const firstPage = 'page.offset=0&page.size=1';

export const httpQuestions: readonly OpenQuestion[] = [
  {
    id: 'unknown-station',
    question: 'What does an unknown station give?',
    ours: 'refused with 404',
    async find({ prober }) {
      const answer = await prober.ask(firstPage, { url: unknownStation(prober.url) });
      return refusal(answer) ?? (rowsOf(answer)?.length === 0 ? 'an empty list' : 'something else');
    },
  },
  {
    id: 'error-shape',
    question: 'What does an error look like?',
    ours: 'a problem document with a code',
    find: async ({ prober }) =>
      describeError(await prober.ask(firstPage, { url: unknownStation(prober.url) })),
  },
  {
    id: 'head',
    question: 'Does HEAD work?',
    ours: 'yes',
    find: async ({ prober }) => refusal(await prober.ask(firstPage, { method: 'HEAD' })) ?? 'yes',
  },
  {
    id: 'options',
    question: 'Does OPTIONS list the methods?',
    ours: 'yes',
    async find({ prober }) {
      const answer = await prober.ask('', { method: 'OPTIONS' });
      return refusal(answer) ?? (answer.header('allow') === null ? 'no' : 'yes');
    },
  },
  {
    id: 'conditional',
    question: 'What does If-None-Match give when nothing changed?',
    ours: '304',
    async find({ prober }) {
      const etag = (await prober.ask(firstPage)).header('etag');
      if (etag === null) return 'no ETag';
      const { status } = await prober.ask(firstPage, { headers: { 'If-None-Match': etag } });
      return String(status);
    },
  },
  {
    id: 'snapshots',
    question: 'Does an answer name the snapshot it shows?',
    ours: 'in Roster-Revision',
    async find({ prober }) {
      const revision = (await prober.ask(firstPage)).header('roster-revision');
      return revision === null ? 'no' : 'in Roster-Revision';
    },
  },
  {
    id: 'language',
    question: 'Does the answer name the language of the labels?',
    ours: 'in Content-Language',
    async find({ prober }) {
      const language = (await prober.ask(firstPage)).header('content-language');
      return language === null ? 'no' : 'in Content-Language';
    },
  },
];

/** The same path with a station that surely does not exist. */
function unknownStation(url: string): string {
  return url.replace(/[^/]+\/resources$/, 'no-such-station-3f9c1b/resources');
}

function describeError(answer: Answer): string | undefined {
  if (answer.status < 400) return undefined;
  const mediaType = (answer.header('content-type') ?? 'no content type')
    .replace(/;.*/s, '')
    .trim()
    .toLowerCase();
  const { body } = answer;
  if (mediaType !== 'application/problem+json' || body === undefined) {
    const members = body === undefined ? '' : ` with ${Object.keys(body).join(', ')}`;
    return `${mediaType}${members}`;
  }
  return `a problem document ${'code' in body ? 'with' : 'without'} a code`;
}
