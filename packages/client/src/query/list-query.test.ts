import { describe, expect, it } from 'vitest';
import { encodeFilters, encodeListQuery, type ListQuery } from './list-query.ts';

describe('a query', () => {
  it('is written in the names of the interface', () => {
    const query: ListQuery = {
      resourceIds: ['a', 'b'],
      resourceType: 't',
      resourceTypes: ['t', 'u'],
      product: 'product.gpu',
      displayNamePrefix: 'gpu node',
      enabledAlert: true,
      offset: 0,
      size: 20,
    };
    expect([...encodeListQuery(query, 'comma')]).toEqual([
      ['resource_ids', 'a,b'],
      ['resource_type', 't'],
      ['resource_types', 't,u'],
      ['product', 'product.gpu'],
      ['resource_display_name_prefix', 'gpu node'],
      ['enabled_alert', 'true'],
      ['page.offset', '0'],
      ['page.size', '20'],
    ]);
  });

  it('repeats the parameter where a server wants that', () => {
    expect(String(encodeListQuery({ resourceIds: ['a,1', 'b'] }, 'repeat'))).toBe(
      'resource_ids=a%2C1&resource_ids=b',
    );
  });

  it('leaves out what is undefined, and a prefix that every name has', () => {
    const query = { resourceIds: undefined, product: undefined, displayNamePrefix: '' };
    expect(String(encodeListQuery(query, 'comma'))).toBe('');
  });

  it.each<[ListQuery, string]>([
    [{ resourceIds: [] }, 'resourceIds must be a list with at least one item, or omitted, got an empty list'],
    [{ resourceIds: 'a' as never }, 'resourceIds must be a list with at least one item'],
    [{ resourceTypes: ['a', ' '] }, 'resourceTypes must be a list of strings, or omitted, got " "'],
    [{ resourceIds: ['a,b'] }, "use listDelimiter: 'repeat'"],
    [{ product: '' }, 'product must be a non-empty string, or omitted, got ""'],
    [{ enabledAlert: 'true' as never }, 'enabledAlert must be true or false'],
    [{ offset: -1 }, 'offset must be a whole number from 0 to 9007199254740991, got -1'],
    [{ size: 1.5 }, 'size must be a whole number'],
    [{ pageSize: 5 } as never, '"pageSize" is not a member of the query; known members are resourceIds,'],
  ])('is refused when it is %j', (query, reason) => {
    expect(() => encodeListQuery(query, 'comma')).toThrow(reason);
  });

  it('of filters alone takes no page', () => {
    expect(() => encodeFilters({ size: 5 } as never, 'comma')).toThrow(
      '"size" is not a member of the filters',
    );
  });
});
