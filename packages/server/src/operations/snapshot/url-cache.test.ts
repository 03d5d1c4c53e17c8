import { expect, it } from 'vitest';
import type { Exchange } from '../../http/exchange.ts';
import { keepPage, keptPage, UrlCache } from './url-cache.ts';

const page = Buffer.from('{"resources":[]}');

function asking(search: string): Exchange {
  return { request: { url: `/resources?${search}` }, search } as unknown as Exchange;
}

it('keeps the page of a URL that comes again, from the second request for a snapshot on', () => {
  const urls = new UrlCache((search) => ({ search }));
  const first = urls.find(asking('page.size=7'));
  keepPage(first, '"a"', page);
  expect(keptPage(first, '"a"')).toBeUndefined();
  const second = urls.find(asking('page.size=7'));
  keepPage(second, '"a"', page);
  expect(keptPage(second, '"a"')).toBeUndefined();
  keepPage(second, '"a"', page);
  const third = urls.find(asking('page.size=7'));
  expect(third).toBe(second);
  expect(keptPage(third, '"a"')).toEqual(page);
  expect(keptPage(third, '"b"')).toBeUndefined();
  keepPage(third, '"b"', page);
  expect([keptPage(third, '"a"'), keptPage(third, '"b"')]).toEqual([undefined, undefined]);
});

it('keeps a copy: what was rendered into is used again', () => {
  const urls = new UrlCache((search) => ({ search }));
  urls.find(asking(''));
  const known = urls.find(asking(''));
  const rendered = Buffer.from(page);
  keepPage(known, '"a"', rendered);
  keepPage(known, '"a"', rendered);
  rendered.fill(0);
  expect(keptPage(known, '"a"')).toEqual(page);
});

it('keeps no large page, and forgets the oldest of many URLs', () => {
  const urls = new UrlCache((search) => ({ search }));
  const twice = (search: string) => [urls.find(asking(search)), urls.find(asking(search))][1]!;
  const oldest = twice('page.size=1');
  for (let round = 0; round < 2; round++) keepPage(oldest, '"a"', Buffer.alloc(32 * 1024 + 1));
  expect(keptPage(oldest, '"a"')).toBeUndefined();
  for (let offset = 0; offset < 1023; offset++) twice(`page.offset=${offset}`);
  expect(urls.find(asking('page.size=1'))).toBe(oldest);
  twice('page.offset=2000');
  expect(urls.find(asking('page.size=1'))).not.toBe(oldest);
});
