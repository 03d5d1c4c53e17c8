import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RosterClientError } from '../errors.ts';
import type { Resource } from '../wire.ts';
import { ListProgress } from './list-progress.ts';
import type { Notice } from './notice.ts';
import type { ListAnswer } from './read-list.ts';

type AnswerAt = (offset: number, request: number) => { ids: string[]; total?: number; revision?: string };

const maxRequests = 1000;

function readAll(pageSize: number, answerAt: AnswerAt) {
  const notices: Notice[] = [];
  const progress = new ListProgress({ pageSize, pin: true, onNotice: (notice) => notices.push(notice) });
  const ids: string[] = [];
  for (let request = 1; request <= maxRequests; request++) {
    const { fresh, isLast } = progress.take(toAnswer(progress.offset, answerAt(progress.offset, request)));
    ids.push(...fresh.map(({ resource_id }) => resource_id));
    if (isLast) return { ids, notices };
  }
  throw new Error('it does not end');
}

function toAnswer(offset: number, { ids, total, revision }: ReturnType<AnswerAt>): ListAnswer {
  const page = total === undefined ? null : { offset, size: 0, total };
  const resources = ids.map((resource_id) => ({ resource_id }) as Resource);
  return { resources, page, revision, etag: undefined, language: undefined, hint: undefined };
}

const pageSizes = fc.integer({ min: 1, max: 20 });

describe('reading a list page by page', () => {
  it('returns exactly the list, however the server handles sizes, totals and snapshots', () => {
    const list = fc
      .integer({ min: 0, max: 60 })
      .map((size) => Array.from({ length: size }, (_, at) => `r${at}`));
    const server = fc.record({
      list,
      pageSize: pageSizes,
      clamp: fc.integer({ min: 1, max: 25 }),
      hasTotal: fc.boolean(),
      revision: fc.constantFrom(undefined, 'epoch.1'),
    });
    fc.assert(
      fc.property(server, ({ list, pageSize, clamp, hasTotal, revision }) => {
        const { ids, notices } = readAll(pageSize, (offset) => ({
          ids: list.slice(offset, offset + Math.min(pageSize, clamp)),
          ...(hasTotal && { total: list.length }),
          ...(revision && { revision }),
        }));
        expect(ids).toEqual(list);
        expect(notices).toEqual([]);
      }),
    );
  });

  it('ends on any server, gives nothing twice, and fails only as incomplete', () => {
    const id = fc.constantFrom(...'abcdefgh');
    const answer = fc.record(
      { ids: fc.array(id, { maxLength: 4 }), total: fc.nat(30) },
      { requiredKeys: ['ids'] },
    );
    fc.assert(
      fc.property(pageSizes, fc.array(answer, { minLength: 1, maxLength: 12 }), (pageSize, answers) => {
        try {
          const { ids } = readAll(pageSize, (_, request) => answers[request % answers.length]!);
          expect(new Set(ids).size).toBe(ids.length);
        } catch (error) {
          expect(error).toBeInstanceOf(RosterClientError);
          expect(error).toMatchObject({ code: 'incomplete_list' });
        }
      }),
    );
  });

  it('ends on any server that claims to answer from one snapshot', () => {
    const id = fc.constantFrom(...'abcdefgh');
    const answer = fc.record({ ids: fc.array(id, { maxLength: 4 }), total: fc.constantFrom(20, 20, 20, 21) });
    fc.assert(
      fc.property(pageSizes, fc.array(answer, { minLength: 1, maxLength: 12 }), (pageSize, answers) => {
        try {
          readAll(pageSize, (_, request) => ({ ...answers[request % answers.length]!, revision: 'epoch.1' }));
        } catch (error) {
          expect(error).toBeInstanceOf(RosterClientError);
        }
      }),
    );
  });
});
