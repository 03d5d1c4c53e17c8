import { describe, expect, it } from 'vitest';
import { parseIfMatch } from './parse-if-match.ts';

describe('parseIfMatch', () => {
  it('reads one revision in quotes; an asterisk asks for nothing', () => {
    expect(parseIfMatch('"abc.7"')).toEqual({ epoch: 'abc', number: 7 });
    expect(parseIfMatch(' "abc.7" ')).toEqual({ epoch: 'abc', number: 7 });
    expect(parseIfMatch('*')).toBeUndefined();
    expect(parseIfMatch(undefined)).toBeUndefined();
  });

  it.each(['', 'abc.7', 'W/"abc.7"', '"abc"', '"abc.7", "abc.8"', '"abc.7-12ab-3-en"'])(
    'refuses %s',
    (header) => {
      expect(() => parseIfMatch(header)).toThrow('If-Match must be one revision in double quotes');
    },
  );
});
