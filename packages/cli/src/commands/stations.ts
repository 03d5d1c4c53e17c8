import type { Station } from '@roster/client';
import type { Call, Command } from '../command.ts';
import { connect, connectionFlags } from '../connection.ts';
import { printRows, rowFlags, sortRows, type View } from '../output/rows.ts';
import { readablePath } from '../readable-path.ts';

const view: View<Station> = {
  columns: [
    {
      name: 'station',
      header: 'STATION',
      value: shortAddress,
      show: (row) => readablePath(shortAddress(row)),
    },
    { name: 'resources', header: 'RESOURCES', value: ({ resources }) => resources.total },
    {
      name: 'firing',
      header: 'FIRING',
      value: (row) => countState(row, 'ALERTSTATE_FIRING'),
      style: (row) => (countState(row, 'ALERTSTATE_FIRING') > 0 ? 'alarm' : 'dim'),
    },
    {
      name: 'pending',
      header: 'PENDING',
      value: (row) => countState(row, 'ALERTSTATE_PENDING'),
      style: (row) => (countState(row, 'ALERTSTATE_PENDING') > 0 ? 'yellow' : 'dim'),
    },
    {
      name: 'uncovered',
      header: 'UNCOVERED',
      value: ({ resources }) => resources.uncovered,
      style: ({ resources }) => (resources.uncovered > 0 ? 'yellow' : 'dim'),
    },
    { name: 'revision', header: 'REVISION', value: ({ revision }) => revision, isWide: true },
  ],
  nameOf: shortAddress,
  nothing: 'no stations match; roster station create makes one',
};

export const stations: Command = {
  name: 'stations',
  usage: '[FLAGS]',
  about: 'Lists the stations of a Roster server by their address, with their figures.',
  takes: [0, 0],
  flags: {
    subscription: { type: 'string', value: 'NAME', about: 'only stations of this subscription' },
    'resource-group': { type: 'string', value: 'NAME', about: 'only stations of this resource group' },
    zone: { type: 'string', value: 'NAME', about: 'only stations in this zone' },
    prefix: { type: 'string', value: 'TEXT', about: 'only stations whose own name begins with this' },
    ...rowFlags(view.columns.map(({ name }) => name)),
    ...connectionFlags,
  },
  examples: [
    ['roster stations', 'all of them'],
    ['roster stations --sort uncovered:desc', 'where most is left to do'],
    ['for s in $(roster stations -o name); do roster summary "$s"; done', 'something for each of them'],
  ],
  run: runStations,
};

async function runStations(call: Call): Promise<void> {
  const { given } = call;
  const client = await connect(call);
  const rows = client.manage.allStations({
    subscription: given.text('subscription'),
    resourceGroup: given.text('resource-group'),
    zone: given.text('zone'),
    namePrefix: given.text('prefix'),
  });
  await printRows(sortRows(rows, view, call), view, call);
}

/** The four names, as every command takes them. */
function shortAddress(row: Station): string {
  return [row.subscription_name, row.resource_group_name, row.zone, row.telemetry_station_name]
    .map(encodeURIComponent)
    .join('/');
}

function countState({ resources }: Station, state: string): number {
  return resources.states[state] ?? 0;
}
