import { describe, expect, it } from 'vitest';
import { parseSearchQuery } from './search-query.ts';

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

  it.each(['created', 'state_since'])('refuses a range of %s that ends before it begins', (name) => {
    const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
    for (const [after, before] of [
      [late, early],
      [early, early],
    ]) {
      expect(() => parseSearchQuery(`${name}_after=${after}&${name}_before=${before}`)).toThrow(
        expect.objectContaining({
          code: 'invalid_parameter',
          message: `${name}_after must be earlier than ${name}_before`,
          parameter: `${name}_after`,
        }),
      );
    }
    expect(() => parseSearchQuery(`${name}_after=${early}&${name}_before=${late}`)).not.toThrow();
  });

  it('names label filters, order_by and the page among what it knows', () => {
    expect(() => parseSearchQuery('zzz=1')).toThrow(/page\.total, label\.<key>$/);
    expect(() => parseSearchQuery('label=1')).toThrow('did you mean "label.<key>"?');
    for (const name of ['sort', 'sort_by', 'Sort']) {
      expect(() => parseSearchQuery(`${name}=1`)).toThrow('did you mean "order_by"?');
    }
    expect(() => parseSearchQuery('page=3')).toThrow('did you mean "page.offset" or "page.size"?');
  });
});
