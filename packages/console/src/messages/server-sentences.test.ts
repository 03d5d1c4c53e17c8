import { expect, it } from 'vitest';
import { en } from './en.ts';
import { hintIn, sourceReasonIn } from './server-sentences.ts';
import { zh } from './zh.ts';

it('says what a filter may have meant in the words of the console', () => {
  const hints = [
    'nothing in the station has the sku "zzz"',
    'nothing in the station has the label key "ra\\"k"; did you mean "rack"?',
    'there is no resource type "vn"; did you mean "vm"?',
    '"fireing" is not a usual state; did you mean "firing"?',
    'something else',
  ];
  expect(hints.map((hint) => hintIn(en, hint))).toEqual([
    'Nothing in the station has the SKU "zzz".',
    'Nothing in the station has the label key "ra\\"k". Did you mean "rack"?',
    'There is no resource type "vn". Did you mean "vm"?',
    '"fireing" is not a usual state. Did you mean "firing"?',
    'Something else',
  ]);
  expect(hints.map((hint) => hintIn(zh, hint))).toEqual([
    '监控站中没有资源的规格为 "zzz"。',
    '监控站中没有资源的标签键为 "ra\\"k"。是否应为 "rack"？',
    '没有资源类型 "vn"。是否应为 "vm"？',
    '"fireing" 不是常见状态。是否应为 "firing"？',
    'Something else',
  ]);
});

it('says why a source is down in the language of the console', () => {
  expect(sourceReasonIn('en', 'refuses connections')).toBe('refuses connections');
  expect(sourceReasonIn('zh', 'refuses connections')).toBe('拒绝连接');
  expect(sourceReasonIn('zh', 'answered 500: "no"')).toBe('应答 500："no"');
  expect(
    sourceReasonIn(
      'zh',
      'answered 404 at /api/v1/rules; is it the right server, and does its url end before /api?',
    ),
  ).toBe('对 /api/v1/rules 应答 404；服务器是否正确，url 是否止于 /api 之前？');
  expect(sourceReasonIn('zh', 'never heard of')).toBe('never heard of');
});
