import { expect, it } from 'vitest';
import { emptyOf } from './use-empty-columns.ts';

const facets = (sku: readonly string[], gpuModel: readonly string[]) =>
  Object.fromEntries(
    Object.entries({ sku, gpu_model: gpuModel }).map(([field, values]) => [
      field,
      { values: values.map((value) => ({ value, count: 1 })), other_values: 0 },
    ]),
  );
const both = ['sku', 'gpu_model'];

it('finds the columns of which nothing that matches has a value', () => {
  expect(emptyOf(facets(['large', ''], ['']), both)).toEqual(['gpu_model']);
  expect(emptyOf(facets([''], []), both)).toEqual(both);
  expect(emptyOf({}, both)).toEqual([]);
});

it('shows a column as soon as it has a value, and from then on', () => {
  expect(emptyOf(facets([''], ['H100']), both)).toEqual(['sku']);
  expect(emptyOf(facets([''], ['']), ['sku'])).toEqual(['sku']);
});
