import { describe, expect, it } from 'vitest';
import { selectorsOf } from './selectors-of.ts';

const textsOf = (expression: string) => selectorsOf(expression)?.map(({ text }) => text);

describe('selectorsOf', () => {
  it.each([
    ['up == 0', ['up']],
    ['sum by (job) (rate(x{job="a",b=~"c.*"}[5m])) > 5', ['x{job="a",b=~"c.*"}']],
    ['a / on(i) group_left(x) b > 1', ['a', 'b']],
    ['a or b', ['a', 'b']],
    ['a unless b', ['a']],
    ['a and on(instance) b', ['a']],
    ['(a unless b) or c', ['a', 'c']],
    ['max_over_time(rate(x[5m])[1h:1m] offset 1d) > 1', ['x']],
    ['(y @ end()) + z offset -5m', ['y', 'z']],
    ['histogram_quantile(0.9, sum(rate(h[5m])) by (le))', ['h']],
    ['histogram_count(native) > 1', ['native']],
    ['{__name__=~"a|b", job!="c"}', ['{__name__=~"a|b", job!="c"}']],
    ['{"dotted.name", "a.b"="c"} > 1', ['{"dotted.name", "a.b"="c"}']],
    ['x{a="q\\"u{o}te, \\n"}', ['x{a="q\\"u{o}te, \\n"}']],
    ["x{a='机器'}", ["x{a='机器'}"]],
    ['vector(1)', []],
    ['time() > 5', []],
  ])('finds those of %s', (expression, expected) => {
    expect(textsOf(expression)).toEqual(expected);
  });

  it.each(['foo{', 'unheard_of_function(x)', 'a +', '', 'sum(', 'a unless {'])(
    'cannot tell those of %s',
    (text) => {
      expect(selectorsOf(text)).toBeUndefined();
    },
  );

  it('knows the metric, unless there may be several', () => {
    const metricOf = (expression: string) => selectorsOf(expression)![0]!.metric;
    expect(metricOf('a{b="c"}')).toBe('a');
    expect(metricOf('{__name__="a:b"}')).toBe('a:b');
    expect(metricOf('{"a.b"}')).toBe('a.b');
    expect(metricOf('{__name__=~"a"}')).toBeUndefined();
    expect(metricOf('{job="a"}')).toBeUndefined();
  });

  it('knows the labels of the alert of absent()', () => {
    expect(selectorsOf('absent(up{instance="a:1",job=~"b"}) == 1')).toEqual([
      { text: 'up{instance="a:1",job=~"b"}', metric: 'up', absentLabels: { instance: 'a:1' } },
    ]);
    expect(selectorsOf('absent_over_time(up{a="b\\tc"}[5m])')![0]!.absentLabels).toEqual({ a: 'b\tc' });
    expect(selectorsOf('up')![0]!.absentLabels).toBeUndefined();
  });
});

it('cannot tell what is too long or nested too deeply, and says so soon', () => {
  expect(selectorsOf('('.repeat(100_000))).toBeUndefined();
  expect(selectorsOf(`${'('.repeat(8_000)}up${')'.repeat(8_000)}`)).toBeUndefined();
  expect(selectorsOf(`up == 0 or ${'x'.repeat(20_000)}`)).toBeUndefined();
});
