import { expect, it } from 'vitest';
import { reasonIn } from './fault-reasons.ts';

it.each([
  ['is required', '必填'],
  ['must not be empty, got ""', '不得为空；实际为 ""'],
  [
    'must have the form resource_type.<category>.<name>: letters, digits, _ and - between dots, got "vm"',
    '格式须为 resource_type.<category>.<name>：点号之间为字母、数字、_ 和 -；实际为 "vm"',
  ],
  [
    'must have the form ALERTSTATE_<NAME>: capital letters, digits and _, got "FIRNG"; did you mean "ALERTSTATE_FIRING"?',
    '格式须为 ALERTSTATE_<NAME>：大写字母、数字和 _；实际为 "FIRNG"；是否应为 "ALERTSTATE_FIRING"？',
  ],
  ['is not a known field; did you mean "sku"?', '不是已知字段；是否应为 "sku"？'],
  ['"a, got b" is already on line 7', '"a, got b" 已出现在第 7 行'],
  ['"a" is already the name on line 7, column 3', '名称 "a" 已用于第 7 行第 3 列'],
  ['"a" is not in the station', '"a" 不在监控站中'],
  ['uses ";" between cells: separate them with commas', '单元格以 ";" 分隔：请改用逗号'],
  [
    'has a value for rack that may have at most 200 characters, got {"rack":"x"}',
    '标签 rack 的值有误：最多 200 个字符；实际为 {"rack":"x"}',
  ],
  [
    'would be one more than 100 states in a station, got "A"; a state is shared by resources: is this column mapped correctly?',
    '取值 "A" 会使不同取值超过 100 个；该列是否对应正确？',
  ],
])('says %o in Chinese', (reason, text) => {
  expect(reasonIn('zh', reason)).toBe(text);
  expect(reasonIn('en', reason)).toBe(reason);
});

it('leaves what it does not know as it is', () => {
  expect(reasonIn('zh', 'is odd, got 7')).toBe('is odd, got 7');
});
