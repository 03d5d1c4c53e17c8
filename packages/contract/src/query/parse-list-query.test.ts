import { describe, expect, it } from 'vitest';
import { RosterError } from '../errors.ts';
import { everything } from './list-query.ts';
import { parseListQuery } from './parse-list-query.ts';

const parse = (search: string) => parseListQuery(search, { strict: true });

function refusal(search: string): { code: string; parameter: string | undefined; message: string } {
  try {
    parse(search);
  } catch (error) {
    if (error instanceof RosterError) {
      return { code: error.code, parameter: error.parameter, message: error.message };
    }
    throw error;
  }
  throw new Error(`${search} was accepted`);
}

describe('parseListQuery', () => {
  it('asks for everything when nothing is given', () => {
    expect(parse('')).toEqual(everything);
    expect(parse('&&')).toEqual(everything);
  });

  it('reads all nine parameters', () => {
    const search =
      'resource_ids=a,b&resource_type=resource_type.x&product=product.p&resource_display_name_prefix=n' +
      '&page.offset=7&page.size=9&page.total=3&enabled_alert=true&resource_types=resource_type.x,resource_type.y';
    expect(parse(search)).toEqual({
      resourceIds: ['a', 'b'],
      types: ['resource_type.x'],
      product: 'product.p',
      displayNamePrefix: 'n',
      alertableOnly: true,
      page: { offset: 7, size: 9 },
    });
  });

  it.each(['page.offset=0', 'page.size=50', 'page.total=5'])('pages when only %s is given', (search) => {
    expect(parse(search).page).toEqual({ offset: 0, size: 50 });
  });

  it.each([
    ['page.size=0', { offset: 0, size: 0 }],
    ['page.size=1000', { offset: 0, size: 1000 }],
    ['page.offset=9007199254740991', { offset: 9007199254740991, size: 50 }],
    ['page.size=007', { offset: 0, size: 7 }],
  ])('accepts %s', (search, page) => {
    expect(parse(search).page).toEqual(page);
  });

  it.each([
    'page.size=1001',
    'page.size=-1',
    'page.size=abc',
    'page.size=1.5',
    'page.size=1e2',
    'page.size=%2B5',
    'page.size=+5',
    'page.size=0x10',
    'page.size=%D9%A3',
    'page.size=999999999999999999999999999999',
    'page.offset=9007199254740992',
    'page.offset=-0',
    'page.total=x',
    `page.offset=${'9'.repeat(400)}`,
  ])('refuses %s and says what is allowed', (search) => {
    const { code, parameter, message } = refusal(search);
    expect(code).toBe('invalid_parameter');
    expect(parameter).toBe(search.split('=')[0]);
    expect(message).toMatch(/^page\.\w+ must be a whole number between 0 and \d+, got "/);
    expect(message.length).toBeLessThan(300);
  });

  it('refuses a single-valued parameter given twice', () => {
    for (const name of [
      'page.size',
      'page.offset',
      'page.total',
      'resource_type',
      'product',
      'enabled_alert',
    ]) {
      const value = name.startsWith('page') ? '1' : 'true';
      expect(refusal(`${name}=${value}&${name}=${value}`)).toMatchObject({
        code: 'invalid_parameter',
        parameter: name,
      });
    }
  });

  it('treats a parameter with an empty value as absent', () => {
    const search =
      'resource_ids=&resource_type=&product=&resource_display_name_prefix=&page.offset=&page.size=&page.total&enabled_alert=&resource_types=,%20,';
    expect(parse(search)).toEqual(everything);
    expect(parse('page.size=&page.size=3').page).toEqual({ offset: 0, size: 3 });
  });

  it('takes list items from commas and from repetition, trims blanks and drops empty ones', () => {
    expect(parse('resource_ids=a,%20b%20,,c&resource_ids=d,').resourceIds).toEqual(['a', 'b', 'c', 'd']);
    expect(parse('resource_ids=a+,+b').resourceIds).toEqual(['a', 'b']);
    expect(parse('resource_ids=a%2Cb').resourceIds).toEqual(['a', 'b']);
  });

  it('allows a thousand different items and no more', () => {
    const ids = Array.from({ length: 1001 }, (_, at) => `id-${at}`);
    const repeated = [...ids.slice(0, 1000), ...ids.slice(0, 500)];
    expect(parse(`resource_ids=${repeated.join(',')}`).resourceIds).toHaveLength(1000);
    expect(refusal(`resource_ids=${ids.join(',')}`)).toMatchObject({ parameter: 'resource_ids' });
    expect(refusal(`resource_types=${ids.join(',')}`).message).toContain(
      'at most 1000 different items, got 1001',
    );
  });

  it('combines resource_type and resource_types with AND', () => {
    expect(parse('resource_type=a&resource_types=a,b').types).toEqual(['a']);
    expect(parse('resource_type=c&resource_types=a,b').types).toEqual([]);
  });

  it('accepts for enabled_alert what Go accepts, and nothing else', () => {
    for (const text of ['1', 't', 'T', 'TRUE', 'true', 'True']) {
      expect(parse(`enabled_alert=${text}`).alertableOnly).toBe(true);
    }
    for (const text of ['0', 'f', 'F', 'FALSE', 'false', 'False']) {
      expect(parse(`enabled_alert=${text}`).alertableOnly).toBe(false);
    }
    for (const text of ['yes', 'tRUE', '2', 'on', 'null', '%00']) {
      expect(refusal(`enabled_alert=${text}`)).toMatchObject({ parameter: 'enabled_alert' });
    }
  });

  it.each([
    ['page[size]', 'page.size'],
    ['pageSize', 'page.size'],
    ['page_size', 'page.size'],
    ['size', 'page.size'],
    ['offset', 'page.offset'],
    ['resource_typ', 'resource_type'],
    ['resourceTypes', 'resource_types'],
    ['resource_id', 'resource_ids'],
    ['enable_alert', 'enabled_alert'],
    ['Product', 'product'],
    ['display_name_prefix', 'resource_display_name_prefix'],
  ])('refuses %s and suggests %s', (given, meant) => {
    const search = `${encodeURIComponent(given)}=1`;
    expect(refusal(search)).toMatchObject({ code: 'unknown_parameter', parameter: given });
    expect(refusal(search).message).toContain(`did you mean "${meant}"?`);
    expect(refusal(given.includes('[') ? search : `${given}=1`).parameter).toBe(given);
  });

  it('names both parts of a page when asked for a page', () => {
    expect(refusal('page=3').message).toContain('did you mean "page.offset" or "page.size"?');
    expect(refusal('sort=name').message).toContain('known parameters are resource_ids, ');
  });

  it('lists the known parameters when nothing is close, and ignores unknown ones when not strict', () => {
    expect(refusal('zzz').message).toContain('known parameters are resource_ids, ');
    expect(parseListQuery('zzz=1&page.size=2', { strict: false }).page).toEqual({ offset: 0, size: 2 });
    expect(refusal('__proto__=1').code).toBe('unknown_parameter');
    expect(refusal('constructor=1').code).toBe('unknown_parameter');
  });

  it('decodes names and values, and refuses what is not UTF-8', () => {
    expect(parse('page%2Esize=4').page).toEqual({ offset: 0, size: 4 });
    expect(parse('resource_display_name_prefix=%E8%8A%82+1').displayNamePrefix).toBe('节 1');
    for (const search of ['product=%', 'product=%FF', 'product=%E8%8A', '%ZZ=1', 'product=%C0%80']) {
      expect(refusal(search).code).toBe('invalid_parameter');
    }
  });
});
