import { expect, it } from 'vitest';
import { Arguments } from './arguments.ts';
import { readTime, readTimeRange } from './read-time.ts';

const read = (text: string) =>
  readTime(Arguments.parse(['--after', text], { after: { type: 'string', about: '' } }), 'after');

it.each([
  ['2026-11-01', '2026-11-01T00:00:00.000Z'],
  ['2026-11-01T08:00Z', '2026-11-01T08:00:00.000Z'],
  ['2026-11-01t08:00:00.5+02:00', '2026-11-01T06:00:00.500Z'],
  ['2026-11-01 08:00:00z', '2026-11-01T08:00:00.000Z'],
])('reads %s', (text, time) => {
  expect(read(text)!.toISOString()).toBe(time);
});

it('reads how long ago', () => {
  for (const [text, ms] of [
    ['90s', 90_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
  ] as const) {
    expect(Math.abs(Date.now() - read(text)!.getTime() - ms)).toBeLessThan(1000);
  }
});

it.each(['yesterday', '2026', 'Nov 1 2026', '2026-02-30', '2026-13-01', '2026-11-01T25:00Z', '2w', '-1h'])(
  'refuses %s',
  (text) => {
    expect(() =>
      readTime(Arguments.parse([`--after=${text}`], { after: { type: 'string', about: '' } }), 'after'),
    ).toThrow('--after must be a time, a date or how long ago');
  },
);

it('asks for a time zone', () => {
  expect(() => read('2026-11-01T08:00')).toThrow('got "2026-11-01T08:00"; add a time zone, such as Z');
});

it('refuses a range that ends before it begins', () => {
  const flags = { after: { type: 'string', about: '' }, before: { type: 'string', about: '' } } as const;
  const range = (after: string, before: string) =>
    readTimeRange(Arguments.parse(['--after', after, '--before', before], flags), ['after', 'before']);
  expect(range('2h', '1h')).toHaveLength(2);
  expect(() => range('1h', '2h')).toThrow('--after must be earlier than --before');
  expect(() => range('2026-11-01', '2026-11-01')).toThrow('--after must be earlier than --before');
});
