import { expect, it } from 'vitest';
import { Shares } from './shares.ts';

it('lets one owner hold half of what there is', () => {
  const shares = new Shares(4);
  shares.hold('a', 2);
  expect(shares.isOwnerOver('a')).toBe(false);
  shares.hold('a');
  expect(shares.isOwnerOver('a')).toBe(true);
  expect(shares.isOwnerOver('b')).toBe(false);
  shares.release('a');
  expect(shares.isOwnerOver('a')).toBe(false);
});

it('knows when all is taken, and by whom most', () => {
  const shares = new Shares(4);
  expect(shares.largest()).toBeUndefined();
  shares.hold('a', 2);
  shares.hold('b', 2);
  expect(shares.isOver).toBe(false);
  shares.hold('b');
  expect(shares.isOver).toBe(true);
  expect(shares.largest()).toBe('b');
  shares.release('b', 3);
  expect([shares.largest(), shares.of('b'), shares.total]).toEqual(['a', 0, 2]);
});
