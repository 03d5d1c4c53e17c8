import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { FairTurns } from './fair-turns.ts';

/** Work that lasts until it is told to end, and what has begun so far. */
function startable() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const endFirst = async () => {
    ends.shift()!();
    await nextTurn();
    await nextTurn();
  };
  return { begun, work, endFirst };
}

it('does so much at once, and so much of one party', async () => {
  const turns = new FairTurns({ atOnce: 3, atOncePerParty: 2 });
  const { begun, work, endFirst } = startable();
  for (let count = 0; count < 3; count++) void turns.run('a', work('a'));
  expect(begun).toEqual(['a', 'a']);
  void turns.run('b', work('b'));
  void turns.run('c', work('c'));
  expect(begun).toEqual(['a', 'a', 'b']);
  expect(turns).toMatchObject({ running: 3, waiting: 2 });
  await endFirst();
  expect(turns).toMatchObject({ running: 3, waiting: 1 });
});

it('gives the next turn to whoever has waited for it longest', async () => {
  const turns = new FairTurns({ atOnce: 1, atOncePerParty: 1 });
  const { begun, work, endFirst } = startable();
  for (let count = 0; count < 5; count++) void turns.run('a', work('a'));
  for (let count = 0; count < 2; count++) void turns.run('b', work('b'));
  void turns.run('c', work('c'));
  while (begun.length < 8) await endFirst();
  expect(begun.join('')).toBe('abcabaaa');
});

it('does what has the lowest order first, of what waits for one party', async () => {
  const turns = new FairTurns({ atOnce: 1, atOncePerParty: 1 });
  const { begun, work, endFirst } = startable();
  for (const [at, order] of [3, 2, 1, 2, 1].entries()) void turns.run('a', work(`${order}.${at}`), { order });
  while (begun.length < 5) await endFirst();
  expect(begun).toEqual(['3.0', '1.2', '1.4', '2.1', '2.3']);
});

it('begins one piece of work in each turn of the event loop', async () => {
  const turns = new FairTurns({ atOnce: 1, atOncePerParty: 1 });
  let done = 0;
  const all = Promise.all(Array.from({ length: 5 }, () => turns.run('a', () => done++)));
  let most = 1;
  while (done < 5) {
    const before = done;
    await nextTurn();
    most = Math.max(most, done - before);
  }
  expect(most).toBe(1);
  expect(await all).toEqual([0, 1, 2, 3, 4]);
  await nextTurn();
  expect(turns).toMatchObject({ running: 0, waiting: 0 });
});

it('forgets whoever leaves before their turn', async () => {
  const turns = new FairTurns({ atOnce: 1, atOncePerParty: 1 });
  const { begun, work, endFirst } = startable();
  const leaving = new AbortController();
  void turns.run('a', work('a'));
  const left = turns.run('b', work('b'), { signal: leaving.signal });
  void turns.run('c', work('c'));
  const reason = new Error('gone');
  leaving.abort(reason);
  await expect(left).rejects.toBe(reason);
  expect(turns).toMatchObject({ waiting: 1, parties: 2 });
  await endFirst();
  expect(begun).toEqual(['a', 'c']);
  await expect(turns.run('d', work('d'), { signal: leaving.signal })).rejects.toBe(reason);
});

it('goes on after work that fails', async () => {
  const turns = new FairTurns({ atOnce: 1, atOncePerParty: 1 });
  const failed = turns.run('a', () => {
    throw new Error('no');
  });
  const next = turns.run('a', () => 'yes');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
