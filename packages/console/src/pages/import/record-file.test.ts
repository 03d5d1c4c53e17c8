import { expect, it } from 'vitest';
import { readFileFormat } from './record-file.ts';

it.each([
  ['inventory.csv', { format: 'csv' }],
  ['Inventory 2026.05.YML', { format: 'yaml' }],
  ['all.jsonl', { format: 'ndjson' }],
  ['station-1.csv.gz', { format: 'csv', contentEncoding: 'gzip' }],
  ['list.json.zst', { format: 'json', contentEncoding: 'zstd' }],
])('reads the format of %s from its name', (name, format) => {
  expect(readFileFormat(name)).toEqual(format);
});

it.each(['inventory', 'inventory.xlsx', '.gz', 'csv.gz'])('knows nothing of %s', (name) => {
  expect(readFileFormat(name)).toBeUndefined();
});
