import { expect, it } from 'vitest';
import { formatLabels, parseLabels } from './label-lines.ts';

it('finds labels again in their lines, colons included', () => {
  const labels = { en: 'Disk: fast', 'zh-CN': '磁盘' };
  expect(parseLabels(formatLabels(labels))).toEqual(labels);
});

it('skips empty lines, and leaves a line without a language to the server', () => {
  expect(parseLabels('\n en : Disk \n\nDisk')).toEqual({ en: 'Disk', '': 'Disk' });
});
