import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escapeUnprintable } from './escape-unprintable.ts';

it.each([
  ['\x1b[31mred\x1b[0m', '\\x1b[31mred\\x1b[0m'],
  ['a\nb\tc\r', 'a\\nb\\tc\\r'],
  ['\x9b2J', '\\x9b2J'],
  ['invoice\u202egnp.exe', 'invoice\\u202egnp.exe'],
  ['zero\u200bwidth', 'zero\\u200bwidth'],
  ['half \ud800 pair', 'half \\ud800 pair'],
  ['裸金属 👩‍🚀 é', '裸金属 👩‍🚀 é'],
])('shows %j as %j', (text, shown) => {
  expect(escapeUnprintable(text)).toBe(shown);
});

it('leaves no control character in any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(escapeUnprintable(text)).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});
