import { expect, it } from 'vitest';
import { matching } from './palette-items.ts';

const items = ['gpu-train-1', 'Now', 'my GPU lab', 'Import'].map((text) => ({
  id: text,
  text,
  more: text === 'Import' ? 'zone-1' : undefined,
}));
const found = (wanted: string) => matching(items, wanted).map(({ text }) => text);

it('finds any part of a name, ignoring case, beginnings first', () => {
  expect(found('gpu')).toEqual(['gpu-train-1', 'my GPU lab']);
  expect(found('lab gpu')).toEqual(['my GPU lab']);
  expect(found('ZONE imp')).toEqual(['Import']);
  expect(found('zzz')).toEqual([]);
});

it('shows the first few of many', () => {
  const many = Array.from({ length: 50 }, (_, at) => ({ id: `${at}`, text: `x${at}` }));
  expect(matching(many, '')).toHaveLength(6);
});
