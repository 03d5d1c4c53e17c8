import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readStationFilters, stationsHref } from './station-filters.ts';

const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((each) => each.isWellFormed());
const filters = fc.record(
  { namePrefix: text, subscription: text, resourceGroup: text, zone: text },
  { requiredKeys: [] },
);

it('finds the filters of stations again in the URL', () => {
  fc.assert(
    fc.property(filters, (given) => {
      expect(readStationFilters(new URL(stationsHref(given), 'http://x').search)).toEqual(given);
    }),
  );
});
