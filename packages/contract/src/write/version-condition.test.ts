import { describe, expect, it } from 'vitest';
import { parseVersionCondition } from './version-condition.ts';

describe('parseVersionCondition', () => {
  it.each([
    [{}, undefined],
    [{ 'if-match': '"0123456789abcdef"' }, { version: '0123456789abcdef' }],
    [{ 'if-match': ' "0123456789abcdef-zh-CN" ' }, { version: '0123456789abcdef' }],
    [{ 'if-match': '*' }, 'present'],
    [{ 'if-none-match': '*' }, 'absent'],
  ])('reads %j', (headers, condition) => {
    expect(parseVersionCondition(headers, 'type')).toEqual(condition);
  });

  it.each([
    { 'if-match': '0123456789abcdef' },
    { 'if-match': '"k3v9x0a1bc.42"' },
    { 'if-match': '"0123", "4567"' },
    { 'if-match': 'W/"0123"' },
    { 'if-match': '' },
    { 'if-none-match': '"0123"' },
    { 'if-match': '*', 'if-none-match': '*' },
  ])('refuses %j', (headers) => {
    expect(() => parseVersionCondition(headers, 'type')).toThrow(/If-(None-)?Match .*, got "/);
  });
});
