import { expect, it } from 'vitest';
import type { DirectWrite } from './direct-write.ts';
import { SharedCommits } from './shared-commits.ts';

const address = { subscription: 's', resourceGroup: 'g', zone: 'z', name: 'station' };
const write: DirectWrite = {
  address,
  mode: 'merge',
  ifRevision: undefined,
  changedBy: undefined,
  records: [],
};

/** Queues writes as so many writers do at once, each of which writes again once it is answered. */
async function runWriters(
  writers: number,
  writesEach: number,
  tookMs: number | undefined,
): Promise<string[]> {
  const events: string[] = [];
  const commits = new SharedCommits<number>(
    async (writes) => {
      events.push(`begin ${writes.length}`);
      await new Promise((resolve) => setImmediate(resolve));
      const publish = () => {
        events.push(`answer ${writes.length}`);
        return writes.map((_, at) => (at === 0 ? { error: new Error('refused') } : { value: at }));
      };
      return { publish, tookMs };
    },
    () => events.push('idle'),
  );
  const writing = Array.from({ length: writers }, async () => {
    for (let at = 0; at < writesEach; at++) await commits.add(write).catch(() => undefined);
  });
  await Promise.all(writing);
  return events;
}

it('commits one half of many writers while it answers the other', async () => {
  const first = [
    'begin 64',
    'answer 64',
    'idle',
    'begin 32',
    'begin 32',
    'answer 32',
    'begin 32',
    'answer 32',
  ];
  expect((await runWriters(64, 4, 2)).slice(0, first.length)).toEqual(first);
});

it('commits all together where there are few, on a slow disk, and where no other thread writes', async () => {
  const together = (count: number) => [`begin ${count}`, `answer ${count}`, 'idle'];
  expect(await runWriters(15, 3, 0.1)).toEqual([...together(15), ...together(15), ...together(15)]);
  expect(await runWriters(64, 2, 40)).toEqual([...together(64), ...together(64)]);
  expect(await runWriters(64, 2, undefined)).toEqual([...together(64), ...together(64)]);
});

it('fails the writes of a commit that cannot be published, and goes on', async () => {
  let attempts = 0;
  const commits = new SharedCommits<string>(async () => ({
    publish() {
      if (attempts++ === 0) throw new Error('not published');
      return [{ value: 'written' }];
    },
  }));
  await expect(commits.add(write)).rejects.toThrow('not published');
  expect(await commits.add(write)).toBe('written');
});

it('lets all writes of a commit fail that failed, and goes on', async () => {
  let attempts = 0;
  const commits = new SharedCommits<string>(async () => {
    if (attempts++ === 0) throw new Error('the disk is full');
    return { publish: () => [{ value: 'written' }] };
  });
  await expect(Promise.all([commits.add(write), commits.add(write)])).rejects.toThrow('the disk is full');
  expect(await commits.add(write)).toBe('written');
});
