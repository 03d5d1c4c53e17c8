import type { Station } from '@roster/client';
import type { Call, Command } from '../command/command.ts';
import { connect, connectionFlags } from '../connection/connection.ts';
import { readablePath } from '../output/readable-path.ts';
import { printRows, rowFlags, sortRows } from '../output/rows.ts';
import type { View } from '../output/view.ts';

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
  nothing: 'no stations match; create one with roster station create',
};

export const stations: Command = {
  name: 'stations',
  usage: '[FLAGS]',
  about: 'Lists the stations of a Roster server with their counts.',
  takes: [0, 0],
  flags: {
    subscription: { type: 'string', value: 'NAME', about: 'only this subscription' },
    'resource-group': { type: 'string', value: 'NAME', about: 'only this resource group' },
    zone: { type: 'string', value: 'NAME', about: 'only this zone' },
    prefix: { type: 'string', value: 'TEXT', about: 'only stations whose name starts with this' },
    ...rowFlags(view.columns.map(({ name }) => name)),
    ...connectionFlags,
  },
  examples: [
    ['roster stations', 'all stations'],
    ['roster stations --sort uncovered:desc', 'most uncovered resources first'],
    ['for s in $(roster stations -o name); do roster summary "$s"; done', 'run a command for each station'],
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

/** The form that every command accepts. */
function shortAddress(row: Station): string {
  return [row.subscription_name, row.resource_group_name, row.zone, row.telemetry_station_name]
    .map(encodeURIComponent)
    .join('/');
}

function countState({ resources }: Station, state: string): number {
  return resources.states[state] ?? 0;
}
