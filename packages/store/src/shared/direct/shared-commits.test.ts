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
async function runWriters(writers: number, writesEach: number, inHalves: boolean): Promise<string[]> {
  const events: string[] = [];
  const commits = new SharedCommits<number>(
    async (writes) => {
      events.push(`begin ${writes.length}`);
      await new Promise((resolve) => setImmediate(resolve));
      return () => {
        events.push(`answer ${writes.length}`);
        return writes.map((_, at) => (at === 0 ? { error: new Error('refused') } : { value: at }));
      };
    },
    { inHalves, onIdle: () => events.push('idle') },
  );
  const writing = Array.from({ length: writers }, async () => {
    for (let at = 0; at < writesEach; at++) await commits.add(write).catch(() => undefined);
  });
  await Promise.all(writing);
  return events;
}

it('commits one half of many writers while it answers the other', async () => {
  expect(await runWriters(64, 2, true)).toEqual([
    ...['begin 32', 'begin 32', 'answer 32', 'begin 32', 'answer 32', 'begin 32', 'answer 32'],
    ...['answer 32', 'idle'],
  ]);
});

it('commits few writers together, and many where halves gain nothing', async () => {
  expect(await runWriters(8, 2, true)).toEqual([
    'begin 8',
    'answer 8',
    'idle',
    'begin 8',
    'answer 8',
    'idle',
  ]);
  expect(await runWriters(64, 1, false)).toEqual(['begin 64', 'answer 64', 'idle']);
});

it('lets all writes of a commit fail that failed, and goes on', async () => {
  let attempts = 0;
  const commits = new SharedCommits<string>(async () => {
    if (attempts++ === 0) throw new Error('the disk is full');
    return () => [{ value: 'written' }];
  });
  await expect(Promise.all([commits.add(write), commits.add(write)])).rejects.toThrow('the disk is full');
  expect(await commits.add(write)).toBe('written');
});
