import fc from 'fast-check';
import { expect, it } from 'vitest';
import { textWidth, truncate, truncateMiddle } from './text-width.ts';

it.each([
  ['', 0],
  ['gpu-node', 8],
  ['é', 1],
  ['e\u0301', 1],
  ['裸金属服务器', 12],
  ['ｶﾀｶﾅ', 4],
  ['ＦＵＬＬ', 8],
  ['한국어', 6],
  ['🚀', 2],
  ['👩‍🚀', 2],
  ['🇩🇪', 2],
  ['✔', 1],
  ['❤️', 2],
  ['█▏', 2],
  ['→ …', 3],
])('takes %j for %d columns', (text, width) => {
  expect(textWidth(text)).toBe(width);
});

it('finds the same width with and without looking at graphemes', () => {
  const characters = fc.constantFrom(...'aé\u02ffぁゖアー一龥㐀가힣');
  fc.assert(
    fc.property(fc.string({ unit: characters }), (text) => {
      // An emoji cannot be measured without looking at graphemes.
      expect(textWidth(`${text}🚀`)).toBe(textWidth(text) + 2);
    }),
  );
});

it('cuts between characters that people see', () => {
  expect(truncate('gpu-node-17', 8)).toBe('gpu-nod…');
  expect(truncate('裸金属服务器', 8)).toBe('裸金属…');
  expect(truncate('ab👩‍🚀cd', 5)).toBe('ab👩‍🚀…');
  expect(truncate('short', 5)).toBe('short');
});

it('never cuts to more than was asked for', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, width) => {
      expect(textWidth(truncate(text, width))).toBeLessThanOrEqual(width);
    }),
  );
});

it('cuts out the middle', () => {
  expect(truncateMiddle('acme/web/zone-1/shop', 12)).toBe('acme/…1/shop');
  expect(truncateMiddle('acme/web/zone-1/shop', 11)).toBe('acme/…/shop');
  expect(truncateMiddle('裸金属服务器', 8)).toBe('裸…务器');
  expect(truncateMiddle('short', 5)).toBe('short');
  expect(truncateMiddle('short', 1)).toBe('…');
});
