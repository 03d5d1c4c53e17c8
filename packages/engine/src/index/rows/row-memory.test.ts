import { expect, test } from 'vitest';
import { RowMemory } from './row-memory.ts';

const mebibyte = 2 ** 20;

function takeAll(expectedBytes: number, sizes: readonly number[]): Buffer[] {
  const memory = new RowMemory(expectedBytes);
  return sizes.map((size) => memory.take(size));
}

test.each([
  ['as much as was expected', 80, Array(40).fill(2)],
  ['more than was expected', 40, Array(40).fill(2)],
  ['less than was expected', 200, Array(40).fill(2)],
  ['pieces of all sizes', 150, [1, 40, 3, 30, 30, 5, 33, 8]],
  ['little', 3, [1, 1, 1]],
])('every piece has its size and memory of its own: %s', (_, expected, sizes) => {
  const pieces = takeAll(
    expected * mebibyte,
    sizes.map((size) => size * mebibyte),
  );
  for (const [at, piece] of pieces.entries()) piece.fill(at + 1);
  for (const [at, piece] of pieces.entries()) {
    expect(piece.length).toBe(sizes[at]! * mebibyte);
    expect([piece[0], piece.at(-1)]).toEqual([at + 1, at + 1]);
  }
});

test('the pieces of much memory share a few ordinary buffers', () => {
  const pieces = takeAll(100 * mebibyte, Array(100).fill(mebibyte));
  const buffers = new Set(pieces.map(({ buffer }) => buffer));
  expect(buffers.size).toBe(3);
  for (const buffer of buffers) expect(buffer).toMatchObject({ resizable: false });
});

test('little memory is given back piece by piece', () => {
  const [first, second] = takeAll(2 * mebibyte, [mebibyte, mebibyte]);
  expect(first!.buffer).not.toBe(second!.buffer);
  expect(first!.buffer).toMatchObject({ resizable: true });
});
