import { describe, expect, it } from 'vitest';
import { parseView, viewHref } from './view-search.ts';

const address = { subscription: 'demo', resourceGroup: 'a b', zone: 'z', name: 'n' };

describe('a view in the URL', () => {
  it('survives a round trip through the URL', () => {
    const search =
      'text=r12&state=firing&covered=false&label.rack=r1&order_by=-state_since&resource=r-1&trends=7d';
    const { isComplete, ...view } = parseView(new URLSearchParams(search));
    expect(isComplete).toBe(true);
    expect(viewHref(address, view)).toBe(`/stations/demo/a%20b/z/n?${search}`);
  });

  it('has no query string when nothing is filtered', () => {
    expect(viewHref(address, { filters: {} })).toBe('/stations/demo/a%20b/z/n');
  });

  it.each([
    'enabled_alert=maybe',
    'covered=toString',
    'resource_tpye=x',
    'product=a&product=b',
    'page.size=3',
    'order_by=sku',
    'order_by=name&order_by=state',
  ])('is left to the server when it is %s', (search) => {
    expect(parseView(new URLSearchParams(search)).isComplete).toBe(false);
  });

  it('still takes the prefix of earlier URLs', () => {
    expect(parseView(new URLSearchParams('resource_display_name_prefix=vm&enabled_alert='))).toMatchObject({
      filters: { displayNamePrefix: 'vm' },
      isComplete: true,
    });
  });
});
