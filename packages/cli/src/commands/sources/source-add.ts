import path from 'node:path';
import { parseStationAddress, stationPath } from '@roster/client';
import { addSource, type GivenSource } from '@roster/server';
import type { Arguments } from '../../command/arguments.ts';
import type { Call, Command } from '../../command/command.ts';
import { CommandError, UsageError } from '../../command/errors.ts';
import { configFlag } from '../server/server-settings.ts';
import { editConfig } from './config-file.ts';

export const sourceAdd: Command = {
  name: 'source add',
  usage: 'NAME (--prometheus URL | --alertmanager URL) [FLAGS]',
  about:
    'Adds a source to a configuration file. Comments and everything else in the file stay as they are, and ' +
    'nothing is written if roster config check would refuse the result. Secrets are named by their files. The ' +
    'server reads its sources when it starts.',
  takes: [1, 1],
  flags: {
    prometheus: { type: 'string', value: 'URL', about: 'the address of a Prometheus' },
    alertmanager: {
      type: 'string',
      value: 'URL',
      multiple: true,
      about: 'the address of an Alertmanager, or of each member of a cluster',
    },
    station: {
      type: 'string',
      value: 'STATION',
      multiple: true,
      about: 'a station that it covers; an Alertmanager takes those of the Prometheus sources',
    },
    tie: {
      type: 'string',
      value: 'LABEL=FIELD',
      multiple: true,
      about: 'the label that finds a resource, such as instance=name or cluster,node=label.cluster,name',
    },
    'strip-port': {
      type: 'boolean',
      about: 'remove the port, such as :9100, from label values, for ties and discovery',
    },
    interval: { type: 'string', value: 'DURATION', about: 'how often it is polled, such as 30s' },
    timeout: {
      type: 'string',
      value: 'DURATION',
      about: 'how long its answer may take to arrive, and to be read',
    },
    'bearer-file': { type: 'string', value: 'FILE', about: 'the file with its bearer token' },
    username: { type: 'string', value: 'NAME', about: 'the user name for basic authentication' },
    'password-file': { type: 'string', value: 'FILE', about: 'the file with the password of that user' },
    ca: { type: 'string', value: 'FILE', about: 'the certificate authority of its certificate, as PEM' },
    discover: {
      type: 'string',
      value: 'JOB=TYPE',
      multiple: true,
      about: 'make resources of this type from the targets of a job',
    },
    'discover-name': {
      type: 'string',
      value: 'LABEL',
      about: 'the label of a target that is the name of its resource (default instance)',
    },
    ...configFlag,
  },
  examples: [
    [
      'roster source add prom --prometheus http://prom:9090 --station acme/gpu/zone-1/east --tie instance=name --strip-port',
      'states from a Prometheus',
    ],
    ['roster source add am --alertmanager http://am:9093', 'silences, for the same stations'],
    [
      'roster source add dc2 --prometheus https://prom2 --bearer-file /run/secrets/prom2 --station acme/gpu/zone-2/west --tie instance=name --discover node=resource_type.compute.vm',
      'with a token, and with resources from targets',
    ],
  ],
  run: runAdd,
};

async function runAdd(call: Call): Promise<void> {
  const source = sourceFrom(call.given);
  const file = await editConfig(call, ({ file: edited, text, names }) => {
    if (!names.includes(source.name)) return addSource(text, source);
    throw new CommandError(
      `${edited} already has a source ${source.name}; remove it first, or choose another name`,
    );
  });
  await call.terminal.tell(`added ${source.name} to ${file}; restart the server to use it`);
}

/** As the configuration has it. Its values are checked with the file. */
function sourceFrom(given: Arguments): GivenSource {
  const prometheus = given.text('prometheus');
  const alertmanagers = given.all('alertmanager');
  if ((prometheus === undefined) === (alertmanagers.length === 0))
    throw new UsageError('pass either --prometheus or --alertmanager');
  const stations = given.all('station').map((station) => stationPath(parseStationAddress(station)));
  const tie = given.all('tie').map((text) => tieFrom(text, given.isSet('strip-port')));
  // An Alertmanager takes what is missing from the Prometheus sources.
  if (prometheus !== undefined && stations.length === 0) throw new UsageError('--station is missing');
  if (prometheus !== undefined && tie.length === 0) throw new UsageError('--tie is missing');
  const url = prometheus ?? (alertmanagers.length === 1 ? alertmanagers[0] : alertmanagers);
  return {
    name: given.positionals[0]!,
    [prometheus === undefined ? 'alertmanager' : 'prometheus']: { url, ...serverFrom(given) },
    ...(stations.length === 0 ? {} : { stations }),
    ...(tie.length === 0 ? {} : { tie }),
    ...discoveryFrom(given),
  };
}

function serverFrom(given: Arguments): object {
  const [interval, timeout] = [given.text('interval'), given.text('timeout')];
  const auth = authFrom(given);
  const ca = fileOf(given, 'ca');
  return {
    ...(interval === undefined ? {} : { interval }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(auth === undefined ? {} : { auth }),
    ...(ca === undefined ? {} : { tls: { ca } }),
  };
}

function authFrom(given: Arguments): object | undefined {
  const [bearer, password] = [fileOf(given, 'bearer-file'), fileOf(given, 'password-file')];
  const username = given.text('username');
  if ((username === undefined) !== (password === undefined))
    throw new UsageError('--username and --password-file go together');
  if (bearer !== undefined && username !== undefined)
    throw new UsageError('pass either --bearer-file or --username, not both');
  if (bearer !== undefined) return { bearer: { file: bearer } };
  return username === undefined ? undefined : { username, password: { file: password } };
}

/** The configuration takes absolute paths only. */
function fileOf(given: Arguments, flag: string): string | undefined {
  const file = given.text(flag);
  return file === undefined ? undefined : path.resolve(file);
}

function tieFrom(text: string, stripPort: boolean): object {
  const [label, to] = pairFrom('tie', text, 'LABEL=FIELD, such as instance=name');
  const labels = label.split(',');
  const fields = to.split(',');
  return {
    ...(labels.length === 1 ? { label, to } : { labels, to: fields }),
    ...(stripPort ? { strip_port: true } : {}),
  };
}

function discoveryFrom(given: Arguments): object {
  const jobs = given
    .all('discover')
    .map((text) => pairFrom('discover', text, 'JOB=TYPE, such as node=resource_type.compute.vm'));
  const name = given.text('discover-name');
  if (jobs.length === 0 && name !== undefined) throw new UsageError('--discover-name needs --discover');
  if (jobs.length === 0) return {};
  return {
    discovery: {
      jobs: Object.fromEntries(jobs),
      ...(name === undefined ? {} : { name }),
      ...(given.isSet('strip-port') ? { strip_port: true } : {}),
    },
  };
}

function pairFrom(flag: string, text: string, form: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1)
    throw new UsageError(`--${flag} must be ${form}, got ${JSON.stringify(text)}`);
  return [text.slice(0, at), text.slice(at + 1)];
}
