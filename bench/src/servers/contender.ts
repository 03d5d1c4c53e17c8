import { stationPath } from '@roster/contract';

/** A running server that answers the list operation over one station of `size` resources. */
export interface Contender {
  readonly name: ContenderName;
  readonly size: number;
  readonly origin: string;
  /** Answers at once unless the server is busy. */
  readonly healthPath: string;
  readonly processId: number;
}

export const contenderNames = ['roster', 'baseline'] as const;

export type ContenderName = (typeof contenderNames)[number];

/** The path of the list operation; every server of a run has a station called `bench`, some have more. */
export function listPath(search: string, station = 'bench'): string {
  return `/monitor/ts/data/v1/${benchStationPath(station)}/resources?${search}`;
}

/** The path of a search. */
export function searchPath(search: string): string {
  return `${rosterStationPath('bench')}/resources?${search}`;
}

/** The path of a station in the roster API. */
export function rosterStationPath(station: string): string {
  return `/roster/v1/${benchStationPath(station)}`;
}

function benchStationPath(name: string): string {
  return stationPath({ subscription: 'bench', resourceGroup: 'bench', zone: 'bench', name });
}
