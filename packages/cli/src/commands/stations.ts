import type { Station } from '@roster/client';
import type { Call, Command } from '../command/command.ts';
import { connect, connectionFlags } from '../connection/connection.ts';
import { readablePath } from '../output/readable-path.ts';
import { printRows, rowFlags, sortRows } from '../output/rows.ts';
import { type ReadSources, showStates, sourcesIn } from '../output/stale-states.ts';
import type { Column, View } from '../output/view.ts';
import type { Style } from '../terminal/paint.ts';

/** A column of numbers, dim where there are none; without a style it never stands out. */
function figure(name: string, value: (row: Station) => number, style?: Style): Column<Station> {
  return {
    name,
    header: name.toUpperCase(),
    value,
    style: (row) => style && (value(row) > 0 ? style : 'dim'),
  };
}

const view: View<Station> = {
  columns: [
    {
      name: 'station',
      header: 'STATION',
      value: shortAddress,
      show: (row) => readablePath(shortAddress(row)),
      isPath: true,
    },
    figure('resources', ({ resources }) => resources.total),
    figure('firing', (row) => countState(row, 'ALERTSTATE_FIRING'), 'alarm'),
    figure('pending', (row) => countState(row, 'ALERTSTATE_PENDING'), 'yellow'),
    { ...figure('suppressed', (row) => countState(row, 'ALERTSTATE_SUPPRESSED'), 'dim'), isSpare: true },
    figure('uncovered', ({ resources }) => resources.uncovered, 'yellow'),
    { name: 'revision', header: 'REVISION', value: ({ revision }) => revision, isWide: true },
  ],
  nameOf: shortAddress,
  nothing: 'no stations match',
};

/** Without filters. */
const nothingAtAll =
  'no stations yet, or none in your scopes; create one with roster station create SUBSCRIPTION/RESOURCE_GROUP/ZONE/NAME';

const filterFlags = ['subscription', 'resource-group', 'zone', 'prefix'] as const;

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
  const query = {
    subscription: given.text('subscription'),
    resourceGroup: given.text('resource-group'),
    zone: given.text('zone'),
    namePrefix: given.text('prefix'),
  };
  const only = (name: string | undefined) => (name === undefined ? undefined : [name]);
  const places = {
    subscriptions: only(query.subscription),
    resourceGroups: only(query.resourceGroup),
    zones: only(query.zone),
    namePrefix: query.namePrefix,
  };
  const read: ReadSources = async (options) => sourcesIn(await client.manage.sources(options), places);
  const rows = client.manage.allStations(query);
  const isFiltered = filterFlags.some((flag) => given.isSet(flag));
  const shown = isFiltered ? view : { ...view, nothing: nothingAtAll };
  await showStates(call, read, () => printRows(sortRows(rows, shown, call), shown, call));
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
