import { isNotFound, type RecordView, type RosterClient } from '@roster/client';
import type { SourceTrial, TiedResource } from '@roster/sources';
import type { Call, Command } from '../../command/command.ts';
import { CommandError } from '../../command/errors.ts';
import { connect, connectionFlags } from '../../connection/connection.ts';
import { printValue, valueFlags } from '../../output/print-value.ts';
import { formatCount, plural } from '../../terminal/format-numbers.ts';
import { configFlag, givenConfig, readServerSettings } from '../server/server-settings.ts';
import { noSource } from './config-file.ts';

export const sourceTest: Command = {
  name: 'source test',
  usage: '[NAME] [FLAGS]',
  about:
    'Queries the sources of a configuration file once, or the one called NAME, and ties their alerts, and the targets and ' +
    'rules of a Prometheus, to the resources of a running server. Writes nothing. Shows up to ten examples of what is not tied, ' +
    'and why, and what discovery would make and retire. Exits with 1 if a source fails or ' +
    'one of its stations does not exist.',
  takes: [0, 1],
  flags: {
    ...configFlag,
    ...valueFlags,
    ...connectionFlags,
  },
  examples: [
    ['roster source test', 'all sources of ./roster.yaml'],
    ['roster source test prom-east --config /etc/roster/roster.yaml', 'one source of another file'],
  ],
  run: runTest,
};

async function runTest(call: Call): Promise<void> {
  const [name] = call.given.positionals;
  const { settings } = await readServerSettings(call, givenConfig(call));
  const { readSources } = await import('@roster/sources/config');
  const { trySource } = await import('@roster/sources');
  const all = readSources(settings.sources).sources;
  const chosen = name === undefined ? all : all.filter((source) => source.name === name);
  if (chosen.length === 0) throw noSource(name ?? '', all);
  const client = await connect(call);
  const trials: SourceTrial[] = [];
  for (const source of chosen) {
    trials.push(await trySource(source, (station) => resourcesOf(client, station)));
  }
  const { terminal } = call;
  await printValue(
    trials,
    () =>
      trials
        .map(renderTrial)
        .join('\n')
        .split('\n')
        .map((line) => terminal.safe(line))
        .join('\n'),
    call,
  );
  const down = trials.filter(({ error }) => error !== null);
  const missing = new Set(trials.flatMap(({ missing_stations }) => missing_stations));
  const faults = [
    ...(down.length === 0 ? [] : [`${plural(down.length, 'source')} failed`]),
    ...(missing.size === 0 ? [] : [`there is no station ${[...missing].join(' or ')}`]),
  ];
  if (faults.length > 0) throw new CommandError(faults.join('; '));
}

async function resourcesOf(
  client: RosterClient,
  station: Parameters<RosterClient['station']>[0],
): Promise<AsyncIterable<TiedResource> | undefined> {
  try {
    const exported = await client.station(station).manage.export();
    return tiedOf(exported.records());
  } catch (error) {
    if (isNotFound(error) && error.code === 'station_not_found') return undefined;
    throw error;
  }
}

async function* tiedOf(records: AsyncIterable<RecordView>): AsyncGenerator<TiedResource> {
  for await (const record of records) yield toTied(record);
}

function toTied(record: RecordView): TiedResource {
  return {
    resourceId: record.resource_id,
    name: record.name,
    displayName: record.display_name,
    typeKey: record.resource_type.key,
    state: record.state,
    alertRulesCount: record.alert_rules_count,
    labels: JSON.stringify(record.labels),
  };
}

function renderTrial(trial: SourceTrial): string {
  const { name, error, missing_stations, alerts, targets, rules, resources, examples } = trial;
  if (error !== null) return `${name}: ${error}\n`;
  const tied = ({ total, tied: count }: typeof alerts) => `${formatCount(count)} of ${formatCount(total)}`;
  const covered = rules === null ? '' : `, of which ${formatCount(rules.covered_resources)} have rules`;
  const lines = [
    `${name}: answers`,
    ...missing_stations.map((station) => `  there is no station ${station}`),
    `  resources  ${formatCount(resources)}${covered}`,
    `  alerts     ${tied(alerts)} tied`,
    ...(targets === null ? [] : [`  targets    ${tied(targets)} tied`]),
    ...(rules === null
      ? []
      : [`  rules      ${formatCount(rules.total)}, of which ${formatCount(rules.unresolved)} unresolved`]),
    ...(trial.discovery === null ? [] : renderDiscovery(trial.discovery)),
    ...examples.map(({ kind, what, reason }) => `  ${kind} ${what}: ${reason}`),
  ];
  return `${lines.join('\n')}\n`;
}

function renderDiscovery({
  station,
  made,
  changed,
  surplus,
  max_resources,
  missing,
  refusal,
  grace_seconds,
  taken,
  unmapped_jobs,
  unusable,
}: NonNullable<SourceTrial['discovery']>): string[] {
  const named = ({ total, names }: typeof made) => {
    const more = total > names.length ? ', …' : '';
    return total === 0 ? '0' : `${formatCount(total)}: ${names.join(', ')}${more}`;
  };
  const retired = `${named(missing)}${missing.total === 0 ? '' : `; after ${grace_seconds} s without a target`}`;
  const jobs = unmapped_jobs.map(({ job, targets }) => `${job} (${formatCount(targets)})`);
  return [
    `  discovery  in ${station}`,
    `    makes       ${named(made)}`,
    ...(surplus === 0
      ? []
      : [`    refuses     ${formatCount(surplus)}; max_resources is ${formatCount(max_resources)}`]),
    `    changes     ${named(changed)}`,
    `    retires     ${refusal === null ? retired : `0: ${refusal}`}`,
    `    has already ${named(taken)}`,
    ...(jobs.length === 0 ? [] : [`    unmapped jobs (targets): ${jobs.join(', ')}`]),
    ...unusable.map(({ labels, reason }) => `    target ${JSON.stringify(labels)}: ${reason}`),
  ];
}
