import { describe, expect, it } from 'vitest';
import { formatHistoryPosition } from '../revision/history-position.ts';
import { parseChangesQuery } from './parse-changes-query.ts';
import { anyTime } from './search-query.ts';

describe('parseChangesQuery', () => {
  it('reads a revision, or a position within one, as an answer wrote it', () => {
    for (const since of ['abc.0', 'abc.42', 'abc.42.17-1']) {
      const query = parseChangesQuery(`since=${since}`);
      expect(formatHistoryPosition(query.since!)).toBe(since);
    }
    expect(parseChangesQuery('')).toEqual({
      since: undefined,
      resourceId: undefined,
      filters: undefined,
      changedMs: anyTime,
      stateChangesOnly: false,
      limit: 100,
    });
    expect(parseChangesQuery('resource_id=a%2Fb&page.size=5')).toMatchObject({ resourceId: 'a/b', limit: 5 });
  });

  it.each([
    '42',
    'abc',
    'abc.',
    '.4',
    'abc.-1',
    'abc.1.',
    'abc.1.X',
    'abc.1.2.3',
    'abc.99999999999999999',
    'ABC.1',
  ])('refuses since=%s and says what it must be', (since) => {
    expect(() => parseChangesQuery(`since=${since}`)).toThrow('since must be a revision (<epoch>.<number>)');
  });

  it('names what it may have meant', () => {
    expect(() => parseChangesQuery('sinse=a.1')).toThrow('did you mean "since"?');
    expect(() => parseChangesQuery('page=2')).toThrow('did you mean "page.size"?');
    expect(() => parseChangesQuery('page.size=1001')).toThrow('between 0 and 1000');
  });

  it('refuses a time that ends before it begins', () => {
    const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
    expect(() => parseChangesQuery(`changed_after=${late}&changed_before=${early}`)).toThrow(
      'changed_after must be earlier than changed_before',
    );
    expect(() => parseChangesQuery(`changed_after=${early}&changed_before=${late}`)).not.toThrow();
  });
});
