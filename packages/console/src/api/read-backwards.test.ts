import type { PastChange } from '@roster/client';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newestPosition, type ReadWindow, readBackwards, readRest } from './read-backwards.ts';

interface Written {
  readonly ms: number;
  readonly revision: number;
  readonly id: string;
}

const nowMs = 1_000_000;

/** Revisions in the order of their times, some at the same one, some large. */
const histories = fc
  .array(fc.record({ ms: fc.nat(nowMs - 1), changes: fc.integer({ min: 1, max: 30 }) }), {
    maxLength: 60,
  })
  .map((revisions) =>
    revisions
      .toSorted((a, b) => a.ms - b.ms)
      .flatMap(({ ms, changes }, at) =>
        Array.from(
          { length: changes },
          (_, index): Written => ({ ms, revision: at + 1, id: `${at} ${index}` }),
        ),
      ),
  );

/** Pages as the server gives them: those of a window, oldest first, `size` at a time. */
function pagesOf(history: readonly Written[], size: number): ReadWindow {
  return async ({ fromMs, toMs = Number.POSITIVE_INFINITY, since }) => {
    const all = history.filter(({ ms }) => ms >= fromMs && ms < toMs);
    const skipped = since === undefined ? 0 : Number(since);
    const changes = all.slice(skipped, skipped + size).map(({ ms, revision, id }) => ({
      resource_id: id,
      revision: `e.${revision}`,
      changed_at: new Date(ms).toISOString(),
    })) as unknown as PastChange[];
    const history_from = { revision: 'e.0', time: new Date(0).toISOString() };
    return { changes, next: String(skipped + size), has_more: skipped + size < all.length, history_from };
  };
}

it('reads all of a range once, the newest first', async () => {
  await fc.assert(
    fc.asyncProperty(
      histories,
      fc.integer({ min: 1, max: 50 }),
      fc.nat(nowMs),
      async (history, size, fromMs) => {
        const read = pagesOf(history, size);
        const found: PastChange[] = [];
        let at = newestPosition({ fromMs, toMs: undefined, nowMs });
        for (let pages = 0; pages < 1_000; pages++) {
          const oldestMs = Math.min(...found.map(({ changed_at }) => Date.parse(changed_at)));
          const { changes, earlier, rest: left } = await readBackwards(read, { fromMs, nowMs }, at);
          for (const { changed_at } of changes) expect(Date.parse(changed_at)).toBeLessThanOrEqual(oldestMs);
          found.push(...changes);
          for (let rest = left; rest !== undefined; ) {
            const more = await readRest(read, rest);
            found.push(...more.changes);
            rest = more.rest;
          }
          if (earlier === undefined) break;
          at = earlier;
        }
        const wanted = history.filter(({ ms }) => ms >= fromMs).map(({ id }) => id);
        expect(found.map(({ resource_id }) => resource_id).toSorted()).toEqual(wanted.toSorted());
      },
    ),
  );
});

it('finds what is new behind an import with few requests', async () => {
  const imported = Array.from({ length: 5_000 }, (_, at) => ({ ms: 60_000, revision: 1, id: String(at) }));
  expect(await countRequests([...imported, { ms: 900_000, revision: 2, id: 'new' }])).toBeLessThan(8);
});

it('finds a storm, and what came after it, with few requests', async () => {
  const dayMs = 86_400_000;
  const changesAt = (ms: number, revision: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ ms: dayMs + ms, revision, id: `${revision} ${at}` }));
  const history = [
    ...changesAt(-700_000, 1, 74),
    ...changesAt(-60_000, 2, 877),
    ...changesAt(-50_000, 3, 6_000),
    ...changesAt(-49_000, 4, 1),
  ];
  expect(await countRequests(history, dayMs)).toBeLessThan(6);
});

it('goes on before an import of any size, whose rest can be read within a bound', async () => {
  const imported = Array.from({ length: 50_000 }, (_, at) => ({ ms: 60_000, revision: 2, id: String(at) }));
  const read = pagesOf([{ ms: 10, revision: 1, id: 'old' }, ...imported], 500);
  const span = { fromMs: 0, toMs: undefined, nowMs };
  const { changes, earlier, rest } = await readBackwards(read, span, newestPosition(span));
  expect(changes).toHaveLength(500);
  const before = await readBackwards(read, span, earlier!);
  expect(before.changes.map(({ resource_id }) => resource_id)).toEqual(['old']);
  const more = await readRest(read, rest!);
  expect(more.changes[0]!.resource_id).toBe('500');
  expect(more.changes).toHaveLength(10_000);
  expect(more.rest).toBeDefined();
});

it('reads what fits a page at once', async () => {
  expect(await countRequests([{ ms: 10, revision: 1, id: 'a' }])).toBe(1);
});

/** Until the newest changes are there. */
async function countRequests(history: readonly Written[], untilMs = nowMs): Promise<number> {
  let requests = 0;
  const read: ReadWindow = (window) => {
    requests++;
    return pagesOf(history, 500)(window);
  };
  const span = { fromMs: 0, toMs: undefined, nowMs: untilMs };
  const { changes } = await readBackwards(read, span, newestPosition(span));
  expect(changes[0]!.resource_id).toBe(history.at(-1)!.id);
  return requests;
}
