import { describe, expect, it } from 'vitest';
import { formatLabels, noLabels, parseLabels, readLabels } from './labels.ts';

const read = (given: unknown) => readLabels(given);

describe('readLabels', () => {
  it('sorts keys, so that equal labels are equal texts', () => {
    expect(read({ rack: 'r1', owner: 'search' })).toEqual({ labels: '{"owner":"search","rack":"r1"}' });
    expect(read({})).toEqual({ labels: noLabels });
    expect(read(' rack = r1 ;owner=a=b; ')).toEqual({ labels: '{"owner":"a=b","rack":"r1"}' });
  });

  it('reads back what it formats', () => {
    const labels = { 'example.com/owner': 'Änne "x"', rack: '', z: '节' };
    const { labels: stored } = read(labels) as { labels: string };
    expect(parseLabels(stored)).toEqual(labels);
    expect(read(formatLabels(labels))).toEqual({ labels: stored });
  });

  it.each([
    ['a', 'a'],
    ['a.b_c-D9', 'a'],
    ['example.com/rack', 'a'],
    ['x'.repeat(63), 'y'.repeat(63)],
    [`${'a.'.repeat(126)}b/${'x'.repeat(63)}`, ''],
  ])('takes %s', (key, value) => {
    expect(read({ [key]: value })).toHaveProperty('labels');
  });

  it.each([
    [{ '': 'a' }, 'has the key "", which must be at most 63 letters'],
    [{ '-a': 'a' }, 'which must be at most 63'],
    [{ 'a b': 'a' }, 'which must be at most 63'],
    [{ ['x'.repeat(64)]: 'a' }, 'which must be at most 63'],
    [{ '/a': 'a' }, 'must have a DNS name before the slash'],
    [{ 'A.com/a': 'a' }, 'must have a DNS name before the slash'],
    [{ 'a/b/c': 'a' }, 'which must be at most 63'],
    [{ a: 1 }, 'has a value for a that must be a string: put it in quotes'],
    [{ a: null }, 'has a value for a that must be a string'],
    [{ a: 'x'.repeat(64) }, 'may have at most 63 characters'],
    [{ a: 'x,y' }, 'must not contain commas'],
    [{ a: 'x;y' }, 'must not contain commas, semicolons'],
    [{ a: 'x\n' }, 'control characters'],
    [{ a: '\ud800' }, 'broken Unicode'],
    [{ a: ' x' }, 'must not begin or end with a blank'],
    [
      Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`k${at}`, ''])),
      'may have at most 32 labels, has 33',
    ],
    [[], 'must be an object of texts'],
    [7, 'must be an object of texts'],
    ['rack', 'must be key=value pairs separated by semicolons'],
    ['a=1;a=2', 'has "a" twice'],
  ])('refuses %j', (given, reason) => {
    expect((read(given) as { error: string }).error).toContain(reason);
  });

  it('is not fooled by names of objects', () => {
    expect(read(JSON.parse('{"__proto__":"a"}'))).toHaveProperty('error');
    expect(read({ constructor: 'a' })).toEqual({ labels: '{"constructor":"a"}' });
    expect(read('toString=a')).toEqual({ labels: '{"toString":"a"}' });
  });
});
