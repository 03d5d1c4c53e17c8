import type { Alert, CallOptions, Source } from '@roster/client';
import type { Command } from '../../command/command.ts';
import { connectionFlags, openStationAnd } from '../../connection/connection.ts';
import { printRows, rowFlags, sortRows } from '../../output/rows.ts';
import { showStates } from '../../output/stale-states.ts';
import type { View } from '../../output/view.ts';
import { formatAge } from '../../terminal/format-numbers.ts';
import type { Style } from '../../terminal/paint.ts';

const styles: Readonly<Record<Alert['state'], Style | undefined>> = {
  firing: 'alarm',
  pending: 'yellow',
  suppressed: 'dim',
};

const view: View<Alert> = {
  columns: [
    { name: 'alertname', header: 'ALERT', value: ({ labels }) => labels.alertname ?? '' },
    {
      name: 'state',
      header: 'STATE',
      value: ({ state }) => state,
      show: ({ state }) => state.toUpperCase(),
      style: ({ state }) => styles[state],
    },
    {
      name: 'since',
      header: 'SINCE',
      value: ({ since }) => since,
      show: ({ since }) => formatAge(Date.now() - Date.parse(since)),
    },
    { name: 'severity', header: 'SEVERITY', value: ({ labels }) => labels.severity ?? '' },
    {
      name: 'summary',
      header: 'SUMMARY',
      value: ({ annotations }) => annotations.summary ?? annotations.description ?? '',
    },
    { name: 'silenced', header: 'SILENCED', value: explainSilences, isNote: true },
    {
      name: 'inhibited_by',
      header: 'INHIBITED BY',
      value: (row) => row.inhibited_by.join(' '),
      isWide: true,
    },
    { name: 'sources', header: 'SOURCES', value: ({ sources }) => sources.join(' '), isWide: true },
    { name: 'labels', header: 'LABELS', value: ({ labels }) => formatLabels(labels), isWide: true },
    { name: 'generator_url', header: 'GENERATOR URL', value: (row) => row.generator_url ?? '', isWide: true },
    { name: 'fingerprint', header: 'FINGERPRINT', value: ({ fingerprint }) => fingerprint, isWide: true },
  ],
  nameOf: ({ fingerprint }) => fingerprint,
  nothing: 'no alerts',
};

/** Calm only if someone looked. */
function describeNone(sources: readonly Source[]): string {
  if (sources.length === 0) return 'no alerts are known: no source reports any for this station';
  const down = sources.filter(({ health }) => health === 'down').map(({ name }) => name);
  return down.length === 0 ? 'no alerts' : `no alerts are known: no answer from ${down.join(', ')}`;
}

export const alerts: Command = {
  name: 'alerts',
  usage: '[STATION] RESOURCE_ID [FLAGS]',
  about:
    'Shows the alerts of one resource, as the sources of its station last reported them, worst first: firing, ' +
    'pending, then silenced or inhibited. -o json has every label and annotation.',
  takes: [1, 2],
  flags: { ...rowFlags(view.columns.map(({ name }) => name)), ...connectionFlags },
  examples: [
    ['roster alerts acme/web/zone-1/shop h1', 'why a resource is firing'],
    ['roster alerts h1 -o wide', 'also labels, sources and links, with the station from ROSTER_STATION'],
    ["roster alerts h1 -o json | jq -r '.[].annotations.runbook_url'", 'what to do about them'],
  ],
  async run(call) {
    const { station, argument: id } = await openStationAnd(call);
    const read = (options: CallOptions) => station.manage.sources(options);
    await showStates(call, read, async () => {
      const found = await station.manage.alerts(id);
      const nothing = found.length > 0 ? view.nothing : describeNone(await station.manage.sources());
      const shown = { ...view, nothing };
      await printRows(sortRows(found, shown, call), shown, call);
    });
  },
};

function explainSilences({ silences }: Alert): string {
  return silences
    .map(({ created_by, until, comment }) => {
      const end = until === null ? '' : ` until ${until.slice(0, 16).replace('T', ' ')} UTC`;
      return `by ${created_by}${end}: ${comment}`;
    })
    .join('; ');
}

function formatLabels(labels: Alert['labels']): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(', ');
}
