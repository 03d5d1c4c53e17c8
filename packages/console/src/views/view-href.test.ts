import { expect, it } from 'vitest';
import { savedViewHref, viewQuery } from './view-href.ts';

it('leads to the list of a station, or of all', () => {
  const station = 'subscriptions/a/resourceGroups/b/zones/c%2Fd/telemetryStations/e';
  expect(savedViewHref({ station, query: 'state=firing&facets=state' })).toBe(
    '/stations/a/b/c%2Fd/e?state=firing',
  );
  expect(savedViewHref({ station: null, query: '' })).toBe('/resources');
});

it('saves filters and order, not what is open', () => {
  const view = {
    filters: { states: ['firing'], labels: { rack: ['r1'] } },
    order: { field: 'state_since', isDescending: true },
    openId: 'x',
    group: 'product',
  } as const;
  expect(viewQuery(view)).toBe('state=firing&label.rack=r1&order_by=-state_since');
});
