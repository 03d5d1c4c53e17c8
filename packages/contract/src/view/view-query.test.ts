import { describe, expect, it } from 'vitest';
import { parseSearchQuery } from '../query/search-query.ts';
import { canonicalViewQuery, searchOfView } from './view-query.ts';

describe('the stored text of a search', () => {
  it.each([
    ['', ''],
    ['&&', ''],
    ['state=&text=', ''],
    ['order_by=-state_since&state=firing', 'state=firing&order_by=-state_since'],
    ['state=firing&state=pending', 'state=firing,pending'],
    ['%73tate=fir%69ng', 'state=firing'],
    ['text=a+b', 'text=a%20b'],
    ['text=%26%3D%23%2B机🦄', 'text=%26%3D%23%2B%E6%9C%BA%F0%9F%A6%84'],
    ['label.z=1&label.a/b=2&label.a/b=3&sku=8+GPU', 'sku=8%20GPU&label.a/b=2,3&label.z=1'],
    [
      'created_after=2026-01-01T00:00:00Z&facets=state,label.rack',
      'created_after=2026-01-01T00:00:00Z&facets=state,label.rack',
    ],
  ])('of %s is %s', (search, expected) => {
    const stored = canonicalViewQuery(search, 'station');
    expect(stored).toBe(expected);
    expect(canonicalViewQuery(stored, 'station')).toBe(stored);
    expect(parseSearchQuery(stored)).toEqual(parseSearchQuery(search));
  });

  it.each([
    ['stat=firing', 'did you mean "state"?'],
    ['state=fir!ng', 'state must be states'],
    ['order_by=age', 'order_by must be one of'],
    ['order_by=name&order_by=state', 'order_by may be given only once, got "name" and "state"'],
    ['facets=age', 'facets must be some of'],
    ['label.=1', 'the label key ""'],
    ['text=%ff', 'not valid percent-encoded UTF-8'],
    ['page.size=5', '"page.size" is not part of a view'],
    ['zone=a', 'unknown parameter "zone"'],
    [
      'state_since_after=now-1w',
      'state_since_after must be an RFC 3339 time such as 2026-01-31T08:00:00.000Z, or how long ago in s, m, h or d, ' +
        'such as now-1h, got "now-1w"',
    ],
    ['created_before=yesterday', 'such as now-1h, got "yesterday"'],
    ['created_before=2026-01-31', 'created_before must be an RFC 3339 time'],
    ['state_since_after=now-1h&state_since_before=now-1d', 'must be earlier than state_since_before'],
    ['?state=firing', 'did you mean "state"?'],
  ])('refuses %s as the search itself does', (search, message) => {
    expect(() => canonicalViewQuery(search, 'station')).toThrow(message);
  });

  it('of a search everywhere has the filters by station too', () => {
    const search = 'station=b&state=firing&zone=z%201&subscription=s&resource_group=g&station=a';
    const stored = 'subscription=s&resource_group=g&zone=z%201&station=b,a&state=firing';
    expect(canonicalViewQuery(search, 'everything')).toBe(stored);
    expect(canonicalViewQuery(stored, 'everything')).toBe(stored);
    expect(() => canonicalViewQuery('zones=a', 'everything')).toThrow('unknown parameter "zones"');
    expect(() => canonicalViewQuery('zone=a&state=!', 'everything')).toThrow('state must be states');
  });
});

describe('the search of a view', () => {
  it('takes the page of the request', () => {
    expect(searchOfView('state=firing', '')).toBe('state=firing');
    expect(searchOfView('', 'page.size=5')).toBe('page.size=5');
    expect(searchOfView('state=firing', 'page.offset=5&page.size=5')).toBe(
      'state=firing&page.offset=5&page.size=5',
    );
  });

  it.each([
    ['state=pending', '"state" is up to the view'],
    ['order_by=name', '"order_by" is up to the view'],
    ['label.rack=r1', '"label.rack" is up to the view'],
    ['zone=z', '"zone" is up to the view'],
    ['%73tate=', '"state" is up to the view'],
    ['page.sise=5', 'did you mean "page.size"?'],
    ['x=1', 'known parameters are page.offset, page.size, page.total'],
  ])('refuses %s', (search, message) => {
    expect(() => searchOfView('state=firing', search)).toThrow(message);
  });
});
