import { describe, expect, it } from 'vitest';
import { hashToken, isTokenText, makeTokenText } from './token-text.ts';

describe('the text of a token', () => {
  it('has a prefix and always the same length, and no two are alike', () => {
    const texts = Array.from({ length: 1000 }, makeTokenText);
    expect(new Set(texts).size).toBe(1000);
    for (const text of texts) {
      expect(text).toMatch(/^roster_[0-9A-Za-z]{49}$/);
      expect(isTokenText(text)).toBe(true);
    }
  });

  it('is refused with any one character changed, swapped, added or left out', () => {
    const text = makeTokenText();
    for (let at = 0; at < text.length; at++) {
      const other = text[at] === 'a' ? 'b' : 'a';
      expect(isTokenText(text.slice(0, at) + other + text.slice(at + 1))).toBe(false);
      expect(isTokenText(text.slice(0, at) + text.slice(at + 1))).toBe(false);
      expect(isTokenText(`${text.slice(0, at)}a${text.slice(at)}`)).toBe(false);
      const next = text[at + 1];
      if (next === undefined || next === text[at]) continue;
      expect(isTokenText(text.slice(0, at) + next + text[at] + text.slice(at + 2))).toBe(false);
    }
    expect(isTokenText('')).toBe(false);
    expect(isTokenText(`${text}\n`)).toBe(false);
  });

  it('is kept as its SHA-256', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
