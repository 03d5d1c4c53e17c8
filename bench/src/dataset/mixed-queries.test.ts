import { parseListQuery } from '@roster/contract';
import { expect, test } from 'vitest';
import { formatQuery } from './format-query.ts';
import { generateResources } from './generate-resources.ts';
import { mixedQueries } from './mixed-queries.ts';
import { naiveList, sortForListing } from './naive-list.ts';

const resources = [...generateResources(10_000)];
const queries = mixedQueries(resources, 20_000);

test('the mix has as many different queries as asked for, the same on every run', () => {
  expect(new Set(queries.map(formatQuery)).size).toBe(20_000);
  expect(mixedQueries(resources, 50)).toEqual(queries.slice(0, 50));
});

test('a query means the same after it went through its URL', () => {
  for (const query of queries.slice(0, 1000)) {
    expect(parseListQuery(formatQuery(query), { strict: true })).toEqual(query);
  }
});

test('most queries find a page with rows', () => {
  const sorted = sortForListing(resources);
  const sample = queries.slice(0, 300);
  const withRows = sample.filter((query) => naiveList(sorted, query).ids.length > 0);
  expect(withRows.length / sample.length).toBeGreaterThan(0.85);
});
