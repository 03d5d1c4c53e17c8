import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  filterTexts,
  formatFilters,
  parseFilters,
  selectedTypes,
  splitItems,
  without,
  withTypes,
} from './filter-search.ts';

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((each) => each.isWellFormed());
const item = text.map((each) => each.replace(/[,\n]/g, '').trim()).filter((each) => each !== '');
const list = fc.uniqueArray(item, { minLength: 1, maxLength: 5 });
const filters = fc.record(
  {
    text,
    displayNamePrefix: text,
    resourceType: text,
    resourceTypes: list,
    product: text,
    states: list,
    covered: fc.boolean(),
    alertable: fc.boolean(),
    enabledAlert: fc.constant(true),
    resourceIds: list,
    gpuModels: list,
    skus: list,
    createdAfter: text,
    createdBefore: text,
    stateSinceAfter: text,
    stateSinceBefore: text,
    labels: fc.dictionary(fc.stringMatching(/^[a-z][a-z./-]{0,9}$/), list, { minKeys: 1, maxKeys: 3 }),
  },
  { requiredKeys: [] },
);

describe('filters in the URL', () => {
  it('survive a round trip through the URL', () => {
    fc.assert(
      fc.property(filters, (given) => {
        expect(parseFilters(new URLSearchParams(formatFilters(given).toString()))).toEqual(given);
      }),
    );
  });

  it('can be removed one by one, each label on its own', () => {
    fc.assert(
      fc.property(filters, (given) => {
        const all = filterTexts(given);
        for (const { parameter } of all) {
          const left = filterTexts(without(given, parameter));
          expect(left).toEqual(all.filter((each) => each.parameter !== parameter));
        }
      }),
    );
  });

  it('take lists as the interface does: commas, repetition, blanks, duplicates', () => {
    const search = new URLSearchParams('resource_ids=a, b,,a&resource_ids=c&label.rack=r1,r2&label.rack=r1');
    expect(parseFilters(search)).toEqual({ resourceIds: ['a', 'b', 'c'], labels: { rack: ['r1', 'r2'] } });
  });

  it('are named as in the interface', () => {
    const given = { states: ['firing'], covered: false, labels: { 'example.com/rack': ['r1', 'r2'] } };
    expect(formatFilters(given).toString()).toBe(
      'state=firing&covered=false&label.example.com%2Frack=r1%2Cr2',
    );
  });

  it('count as absent without a value, and a false switch filters nothing', () => {
    const search = new URLSearchParams('product=&enabled_alert=F&covered=&resource_types=,&label.rack=');
    expect(parseFilters(search)).toEqual({});
  });
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
