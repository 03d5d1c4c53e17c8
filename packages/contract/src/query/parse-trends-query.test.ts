import { expect, it } from 'vitest';
import { parseTrendsQuery } from './parse-trends-query.ts';

const now = Date.UTC(2026, 0, 15, 12, 34, 56);
const at = (text: string) => Date.parse(text);
const parse = (search: string) => parseTrendsQuery(search, now);

it('asks for the hours of a day, or the days of a month, up to now', () => {
  const toMs = at('2026-01-15T13:00:00Z');
  expect(parse('')).toEqual({ step: 'hour', fromMs: at('2026-01-14T12:00:00Z'), toMs });
  expect(parse('step=day')).toEqual({
    step: 'day',
    fromMs: at('2025-12-16T00:00:00Z'),
    toMs: at('2026-01-16T00:00:00Z'),
  });
});

it('includes the steps that both ends lie in, and none after now', () => {
  expect(parse('after=2026-01-15T01:59:59Z&before=2026-01-15T03:00:00.001Z')).toEqual({
    step: 'hour',
    fromMs: at('2026-01-15T01:00:00Z'),
    toMs: at('2026-01-15T04:00:00Z'),
  });
  expect(parse('after=2026-01-15T01:00:00Z&before=2026-01-15T03:00:00Z')).toMatchObject({
    fromMs: at('2026-01-15T01:00:00Z'),
    toMs: at('2026-01-15T03:00:00Z'),
  });
  expect(parse('before=0000-01-02T00:00:00Z').fromMs).toBe(at('0000-01-01T00:00:00Z'));
  expect(parse('before=2030-01-01T00:00:00Z').toMs).toBe(at('2026-01-15T13:00:00Z'));
  expect(parse('before=2026-01-10T00:00:00Z')).toMatchObject({ fromMs: at('2026-01-09T00:00:00Z') });
});

it.each([
  ['step=week', 'step must be one of hour, day, got "week"'],
  ['after=yesterday', 'after must be'],
  ['after=2026-01-02T00:00:00Z&before=2026-01-02T00:00:00Z', 'after must be earlier than before'],
  [
    'after=2025-01-01T00:00:00Z',
    'at most 2000 points, but this range has 9109; ask for a shorter range, or step=day',
  ],
  ['afer=2026-01-01T00:00:00Z', 'did you mean "after"?'],
  ['step=day&step=day', 'step'],
])('refuses %s', (search, message) => {
  expect(() => parse(search)).toThrow(message);
});
