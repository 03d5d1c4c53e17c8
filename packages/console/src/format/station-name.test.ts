import { expect, it } from 'vitest';
import { withShortStations } from './station-name.ts';

const path = 'subscriptions/demo/resourceGroups/edge/zones/zone-2/telemetryStations/edge-1';

it('cuts the paths of stations in a sentence down to their names', () => {
  expect(withShortStations(`the station ${path} does not exist; create it`)).toBe(
    'the station demo/edge/zone-2/edge-1 does not exist; create it',
  );
  expect(withShortStations(`neither "${path}": nor ${path}, ${path}; or that`)).toBe(
    'neither "demo/edge/zone-2/edge-1": nor demo/edge/zone-2/edge-1, demo/edge/zone-2/edge-1; or that',
  );
});

it('leaves other sentences as they are', () => {
  const text = 'answered 500 at /subscriptions/demo/other';
  expect(withShortStations(text)).toBe(text);
});
