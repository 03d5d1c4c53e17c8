import { expect, it } from 'vitest';
import { emptyOf } from './use-empty-columns.ts';

const facets = (sku: readonly string[], gpuModel: readonly string[]) =>
  Object.fromEntries(
    Object.entries({ sku, gpu_model: gpuModel }).map(([field, values]) => [
      field,
      { values: values.map((value) => ({ value, count: 1 })), other_values: 0 },
    ]),
  );
const filtered = { text: 'vm' };

it('knows the columns without a value from the whole list only', () => {
  expect(emptyOf(facets(['large', ''], ['']), {}, [])).toEqual(['gpu_model']);
  expect(emptyOf(facets([''], []), {}, [])).toEqual(['sku', 'gpu_model']);
  expect(emptyOf(facets([''], ['']), filtered, [])).toEqual([]);
});

it('keeps them under filters until one has a value', () => {
  expect(emptyOf(facets([''], ['']), filtered, ['gpu_model'])).toEqual(['gpu_model']);
  expect(emptyOf(facets([''], ['H100']), filtered, ['gpu_model'])).toEqual([]);
  expect(emptyOf({}, filtered, ['gpu_model'])).toEqual(['gpu_model']);
});
