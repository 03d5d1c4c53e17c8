import type { Station } from '@roster/client';
import { countOthers } from '../../format/state.ts';

const texts = {
  name: 'telemetry_station_name',
  subscription: 'subscription_name',
  resource_group: 'resource_group_name',
  zone: 'zone',
} as const satisfies Record<string, keyof Station>;

/** Without anything that can have alerts, there is nothing to cover. */
const coverageOf = ({ resources: { covered, alertable } }: Station) =>
  alertable === 0 ? 1 : covered / alertable;

const numbers: Readonly<Record<string, (station: Station) => number>> = {
  resources: ({ resources }) => resources.total,
  firing: ({ resources }) => resources.states.ALERTSTATE_FIRING ?? 0,
  pending: ({ resources }) => resources.states.ALERTSTATE_PENDING ?? 0,
  other: ({ resources }) => countOthers(resources.states),
  suppressed: ({ resources }) => resources.states.ALERTSTATE_SUPPRESSED ?? 0,
  uncovered: ({ resources }) => resources.uncovered,
  coverage: coverageOf,
};

export type StationColumn =
  | keyof typeof texts
  | 'resources'
  | 'firing'
  | 'pending'
  | 'other'
  | 'suppressed'
  | 'uncovered'
  | 'coverage';

export interface StationOrder {
  readonly column: StationColumn;
  readonly isDescending: boolean;
}

export const orderParameter = 'order_by';

/** By address if it is none. */
export function parseStationOrder(text: string): StationOrder | undefined {
  const isDescending = text.startsWith('-');
  const column = isDescending ? text.slice(1) : text;
  return column in texts || column in numbers ? { column: column as StationColumn, isDescending } : undefined;
}

export const formatStationOrder = ({ column, isDescending }: StationOrder) =>
  `${isDescending ? '-' : ''}${column}`;

/** Numbers start with the most, except for coverage; then the other way round. */
export function nextStationOrder(current: StationOrder | undefined, column: StationColumn): StationOrder {
  if (current?.column === column) return { column, isDescending: !current.isDescending };
  return { column, isDescending: column in numbers && column !== 'coverage' };
}

/** Stations that are equal stay in the order of their addresses. */
export function sortStations(
  stations: readonly Station[],
  order: StationOrder | undefined,
): readonly Station[] {
  if (order === undefined) return stations;
  const { column, isDescending } = order;
  const number = numbers[column];
  const compare = number
    ? (a: Station, b: Station) => number(a) - number(b)
    : (a: Station, b: Station) =>
        compareTexts(a[texts[column as keyof typeof texts]], b[texts[column as keyof typeof texts]]);
  return stations.toSorted((a, b) => (isDescending ? compare(b, a) : compare(a, b)));
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
