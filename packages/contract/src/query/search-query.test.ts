import { describe, expect, it } from 'vitest';
import { foldText, parseSearchQuery } from './search-query.ts';

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

describe('parseSearchQuery', () => {
  it('reads short and long states, label filters, orders and facets', () => {
    const query =
      'state=firing,ALERTSTATE_X&label.rack=r1,r2&label.rack=r3&order_by=-state_since&facets=state,label.rack';
    expect(parseSearchQuery(query)).toMatchObject({
      states: ['ALERTSTATE_FIRING', 'ALERTSTATE_X'],
      labels: new Map([['rack', ['r1', 'r2', 'r3']]]),
      order: { field: 'state_since', isDescending: true },
      facets: ['state', 'label.rack'],
      page: { offset: 0, size: 50 },
    });
  });
});
