import { expect, it } from 'vitest';
import { chooseColumns, isColumnShown, withOrderInView } from './column-choice.ts';

const withLabels = { empty: new Set<string>(), isEverywhere: false };
const withoutLabels = { empty: new Set(['labels']), isEverywhere: false };
const initial = { hiddenColumns: [], shownColumns: [] };

it('shows a column where it has values, or where it is asked for', () => {
  const asked = chooseColumns(initial, ['name'], ['name', 'labels']);
  const isShown = [initial, asked].map((choice) =>
    [withLabels, withoutLabels].map((shown) => isColumnShown('labels', choice, shown)),
  );
  expect(isShown).toEqual([
    [true, false],
    [true, true],
  ]);
});

it('hides a column only when it is turned off, not when another column is', () => {
  const other = chooseColumns(initial, ['name', 'sku'], ['name']);
  expect(other).toEqual({ hiddenColumns: ['sku'], shownColumns: [] });
  expect(isColumnShown('labels', other, withLabels)).toBe(true);
  const off = chooseColumns(other, ['name', 'labels'], ['name']);
  expect(isColumnShown('labels', off, withLabels)).toBe(false);
  expect(isColumnShown('labels', chooseColumns(off, ['name'], ['name', 'sku']), withLabels)).toBe(false);
});

it('shows the station of a resource only among those of all stations', () => {
  expect(isColumnShown('station', initial, withLabels)).toBe(false);
  expect(isColumnShown('station', initial, { ...withLabels, isEverywhere: true })).toBe(true);
});

it('brings the column of the order into view, and leaves the first ones where they are', () => {
  const columns = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id }));
  const ids = (field: string) => withOrderInView(columns, field).map(({ id }) => id);
  expect(ids('f')).toEqual(['a', 'b', 'c', 'f', 'd', 'e']);
  expect([ids('b'), ids('hidden')]).toEqual([ids('a'), ids('a')]);
});
