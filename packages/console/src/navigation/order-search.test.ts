import { describe, expect, it } from 'vitest';
import { formatOrder, nextOrder, parseOrder } from './order-search.ts';

describe('the order in the URL', () => {
  it.each(['name', '-name', '-display_name', 'state_since', '-state_since'])(
    'survives a round trip: %s',
    (text) => {
      expect(formatOrder(parseOrder(text)!)).toBe(text);
    },
  );

  it('is left out when it is the default', () => {
    expect([parseOrder(''), parseOrder('display_name')].map((order) => formatOrder(order!))).toEqual([
      undefined,
      undefined,
    ]);
  });

  it.each(['sku', '--name', '-', 'Name'])('is left to the server when it is %s', (text) => {
    expect(parseOrder(text)).toBeUndefined();
  });
});

it('turns round with every click on the same field, and begins anew with another', () => {
  const first = nextOrder(parseOrder('')!, 'state');
  const second = nextOrder(first, 'state');
  const orders = [first, second, nextOrder(second, 'state'), nextOrder(second, 'name')];
  expect(orders.map(formatOrder)).toEqual(['state', '-state', 'state', 'name']);
});
