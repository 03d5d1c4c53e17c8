import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFilters, parseFilters, selectedTypes, splitItems, withTypes } from './filter-search.ts';

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((each) => each.isWellFormed());
const item = text.map((each) => each.replace(/[,\n]/g, '').trim()).filter((each) => each !== '');
const list = fc.uniqueArray(item, { minLength: 1, maxLength: 5 });
const filters = fc.record(
  {
    displayNamePrefix: text,
    resourceType: text,
    resourceTypes: list,
    product: text,
    enabledAlert: fc.constant(true),
    resourceIds: list,
  },
  { requiredKeys: [] },
);

describe('filters in the URL', () => {
  it('survive a round trip through the URL', () => {
    fc.assert(
      fc.property(filters, (given) => {
        const search = new URLSearchParams(formatFilters(given).toString());
        expect(parseFilters(search)).toEqual({ filters: given, isComplete: true });
      }),
    );
  });

  it('take lists as the interface does: commas, repetition, blanks, duplicates', () => {
    const search = new URLSearchParams('resource_ids=a, b,,a&resource_ids=c');
    expect(parseFilters(search).filters).toEqual({ resourceIds: ['a', 'b', 'c'] });
  });

  it('count as absent without a value, and a false switch filters nothing', () => {
    const search = new URLSearchParams('product=&enabled_alert=F&resource_types=,&resource=r-1');
    expect(parseFilters(search)).toEqual({ filters: {}, isComplete: true });
  });

  it.each(['enabled_alert=maybe', 'resource_tpye=x', 'product=a&product=b', 'page.size=3'])(
    'are left to the server when they are %s',
    (search) => {
      expect(parseFilters(new URLSearchParams(search)).isComplete).toBe(false);
    },
  );
});

describe('selected types', () => {
  it('travel alone in the one parameter, and together in the other', () => {
    expect(withTypes({ product: 'p' }, ['a'])).toEqual({ product: 'p', resourceType: 'a' });
    expect(withTypes({ resourceType: 'a' }, ['a', 'b'])).toEqual({ resourceTypes: ['a', 'b'] });
    expect(withTypes({ resourceTypes: ['a', 'b'] }, [])).toEqual({});
  });

  it('are not one selection when both parameters are given', () => {
    expect(selectedTypes({ resourceType: 'a', resourceTypes: ['a', 'b'] })).toBeUndefined();
    expect(selectedTypes({ resourceTypes: ['a', 'b'] })).toEqual(['a', 'b']);
    expect(selectedTypes({})).toEqual([]);
  });

  it('can be pasted a line each', () => {
    expect(splitItems(' a\nb, c \n\n')).toEqual(['a', 'b', 'c']);
  });
});
