import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStationAddress, stationPath } from './station-address.ts';

const demo = { subscription: 'demo', resourceGroup: 'sample', zone: 'zone-1', name: 'station-1' };
const demoPath = 'subscriptions/demo/resourceGroups/sample/zones/zone-1/telemetryStations/station-1';

describe('a station address', () => {
  it.each([demoPath, `/${demoPath}/`, 'demo/sample/zone-1/station-1', '/demo/sample/zone-1/station-1'])(
    'is read from %s',
    (path) => {
      expect(parseStationAddress(path)).toEqual(demo);
    },
  );

  it('survives a round trip through its path, for any names', () => {
    const name = fc
      .string({ minLength: 1, unit: 'binary' })
      .filter((text) => !/\p{Cs}/u.test(text) && text !== '.' && text !== '..');
    fc.assert(
      fc.property(fc.tuple(name, name, name, name), ([subscription, resourceGroup, zone, last]) => {
        const address = { subscription, resourceGroup, zone, name: last };
        expect(parseStationAddress(stationPath(address))).toEqual(address);
        const short = Object.values(address).map(encodeURIComponent).join('/');
        expect(parseStationAddress(short)).toEqual(address);
      }),
    );
  });

  it.each([
    ['demo/sample/zone-1', 'a station must be written as'],
    ['demo/sample//station-1', 'a station must be written as'],
    ['', 'a station must be written as'],
    [demoPath.replace('zones', 'zone'), 'a station must be written as'],
    ['demo/sample/zone-1/%E0%A4', 'percent-encoded'],
  ])('is not read from %j', (path, reason) => {
    expect(() => parseStationAddress(path)).toThrow(reason);
  });

  it.each(['', '.', '..', undefined, '\ud800'])('refuses the name %j, which no URL can hold', (name) => {
    expect(() => stationPath({ ...demo, name: name as string })).toThrow(/^name must /);
  });
});
