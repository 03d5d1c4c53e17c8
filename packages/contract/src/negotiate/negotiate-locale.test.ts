import { expect, it } from 'vitest';
import { negotiateLocale } from './negotiate-locale.ts';

const negotiate = (header: string | undefined) => negotiateLocale(header, ['en', 'zh', 'pt-BR'], 'en');

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['zh', 'zh'],
  ['zh-CN', 'zh'],
  ['ZH-hans-cn', 'zh'],
  ['pt', 'pt-BR'],
  ['fr, zh;q=0.5', 'zh'],
  ['en;q=0.2, zh;q=0.8', 'zh'],
  ['zh;q=0, en', 'en'],
  ['*', 'en'],
  ['fr', 'en'],
  ['zh;q=abc', 'en'],
  [',,;;=,q=1', 'en'],
  ['constructor', 'en'],
])('answers %j in %s', (header, locale) => {
  expect(negotiate(header)).toBe(locale);
});
