import type { Station } from '@roster/client';
import { expect, it } from 'vitest';
import { nextStationOrder, parseStationOrder, sortStations } from './station-order.ts';

function station(name: string, firing: number, [covered, alertable]: readonly [number, number]): Station {
  return {
    station: name,
    telemetry_station_name: name,
    subscription_name: 's',
    resource_group_name: 'g',
    zone: 'z',
    revision: 'e.1',
    resources: {
      total: alertable,
      alertable,
      covered,
      uncovered: alertable - covered,
      states:
        firing === 0 ? {} : { ALERTSTATE_FIRING: firing, ALERTSTATE_UNKNOWN: firing, ALERTSTATE_NO_DATA: 1 },
    },
  };
}

const stations = [station('a', 1, [1, 2]), station('b', 0, [0, 0]), station('c', 7, [9, 10])];
const names = (order: string) =>
  sortStations(stations, parseStationOrder(order)).map((each) => each.telemetry_station_name);

it('sorts by any column, both ways', () => {
  expect(names('-firing')).toEqual(['c', 'a', 'b']);
  expect(names('-name')).toEqual(['c', 'b', 'a']);
  expect(names('coverage')).toEqual(['a', 'c', 'b']);
  expect(names('zone')).toEqual(['a', 'b', 'c']);
  expect(names('-other')).toEqual(['c', 'a', 'b']);
  expect(names('nonsense')).toEqual(['a', 'b', 'c']);
});

it('starts with the most of a number, and with the least covered', () => {
  const firing = nextStationOrder(undefined, 'firing');
  expect(firing).toEqual({ column: 'firing', isDescending: true });
  expect(nextStationOrder(firing, 'firing').isDescending).toBe(false);
  expect(nextStationOrder(firing, 'coverage').isDescending).toBe(false);
});
