import type { Source } from '@roster/client';
import type { Command } from '../../command/command.ts';
import { connect, connectionFlags } from '../../connection/connection.ts';
import { printRows, rowFlags, sortRows } from '../../output/rows.ts';
import type { View } from '../../output/view.ts';
import { formatAge } from '../../terminal/format-numbers.ts';

const view: View<Source> = {
  columns: [
    { name: 'name', header: 'NAME', value: ({ name }) => name },
    { name: 'kind', header: 'KIND', value: ({ kind }) => kind, isSpare: true },
    {
      name: 'health',
      header: 'HEALTH',
      value: ({ health }) => health,
      show: ({ health }) => health.replace('_', ' '),
      style: ({ health }) => (health === 'down' ? 'alarm' : health === 'no_station' ? 'yellow' : undefined),
    },
    {
      name: 'last_read',
      header: 'LAST READ',
      value: ({ last_read }) => last_read ?? '',
      show: ({ last_read }) => (last_read === null ? 'never' : `${showAge(last_read)} ago`),
    },
    {
      name: 'down_since',
      header: 'DOWN FOR',
      value: ({ down_since }) => down_since ?? '',
      show: ({ down_since }) => (down_since === null ? '' : showAge(down_since)),
    },
    { name: 'alerts', header: 'ALERTS', value: ({ alerts }) => alerts.total },
    {
      name: 'untied',
      header: 'UNTIED',
      value: ({ alerts }) => alerts.unmatched + alerts.ambiguous,
      style: ({ alerts }) => (alerts.unmatched + alerts.ambiguous > 0 ? 'yellow' : 'dim'),
    },
    { name: 'rules', header: 'RULES', value: ({ rules }) => rules?.total ?? '', isSpare: true },
    {
      name: 'unresolved',
      header: 'UNRESOLVED',
      value: ({ rules }) => rules?.unresolved ?? '',
      style: ({ rules }) => (rules !== null && rules.unresolved > 0 ? 'yellow' : 'dim'),
      isSpare: true,
    },
    {
      name: 'error',
      header: 'ERROR',
      value: ({ error, missing_stations: [missing], discovery }) =>
        error ??
        (missing === undefined ? undefined : `there is no station ${missing}`) ??
        discovery?.error ??
        discovery?.refusal ??
        '',
    },
    {
      name: 'discovered',
      header: 'DISCOVERED',
      value: ({ discovery }) => discovery?.resources ?? '',
      isWide: true,
    },
    { name: 'missing', header: 'MISSING', value: ({ discovery }) => discovery?.missing ?? '', isWide: true },
    {
      name: 'unmapped',
      header: 'UNMAPPED',
      value: ({ discovery }) => discovery?.unmapped ?? '',
      isWide: true,
    },
    { name: 'stations', header: 'STATIONS', value: ({ stations }) => stations.length, isWide: true },
    { name: 'urls', header: 'URLS', value: ({ urls }) => urls.join(' '), isWide: true },
  ],
  nameOf: ({ name }) => name,
  nothing: 'no sources; see docs/guide/live-list.md',
};

function showAge(time: string): string {
  return formatAge(Date.now() - Date.parse(time));
}

export const sourceList: Command = {
  name: 'source list',
  usage: '[FLAGS]',
  about:
    'Lists the sources of the stations in your scopes: their health, when they last answered, since when they are ' +
    'down, and how many of their alerts are tied to no resource. -o wide adds what they discovered.',
  takes: [0, 0],
  flags: { ...rowFlags(view.columns.map(({ name }) => name)), ...connectionFlags },
  examples: [
    ['roster source list', 'health of all sources'],
    ['roster source list -o json', 'with reasons, for a script'],
  ],
  async run(call) {
    const client = await connect(call);
    await printRows(sortRows(await client.manage.sources(), view, call), view, call);
  },
};
