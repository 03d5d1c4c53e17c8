import { describe, expect, it } from 'vitest';
import { foldText } from './fold-text.ts';

describe('foldText', () => {
  it.each([
    ['GPU-Node', 'gpu-node'],
    ['Straße', 'strasse'],
    ['Éclair', 'eclair'],
    ['ＧＰＵ１', 'gpu1'],
    ['İstanbul', 'istanbul'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['节点', '节点'],
  ])('folds %s to %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it('finds a text in every longer one', () => {
    for (const text of ['ΟΔΟΣΑ-1', 'Straßenbahn', '각각', 'ǅungla']) {
      for (let end = 1; end <= text.length; end++) {
        expect(foldText(text)).toContain(foldText(text.slice(0, end)));
      }
    }
  });
});
