import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSources } from './read-sources.ts';

const east = 'subscriptions/acme/resourceGroups/g/zones/z/telemetryStations/east';
const west = 'subscriptions/acme/resourceGroups/g/zones/z/telemetryStations/west';
const tie = [{ label: 'instance', to: 'name', strip_port: true }];
const prometheus = { url: 'http://prometheus:9090/' };

function secretFile(): string {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'roster-sources-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = path.join(directory, 'secret');
  writeFileSync(file, 'xyz\n');
  return file;
}

const errorsOf = (...sources: unknown[]) =>
  readSources(sources).errors.map(({ path: steps, reason }) => `${steps.join('.')}: ${reason}`);

describe('readSources', () => {
  it('reads a source with all it can have', () => {
    const file = secretFile();
    const { sources, errors } = readSources([
      {
        name: 'prom-east',
        prometheus: {
          ...prometheus,
          interval: '30s',
          timeout: '5s',
          auth: { username: 'u', password: { file } },
          tls: { ca: file, insecure: true },
          allow_link_local: true,
        },
        stations: [east],
        tie: [...tie, { labels: ['cluster', 'node'], to: ['label.cluster', 'name'] }],
      },
    ]);
    expect(errors).toEqual([]);
    expect(sources).toEqual([
      {
        name: 'prom-east',
        kind: 'prometheus',
        intervalMs: 30_000,
        endpoints: [
          {
            url: 'http://prometheus:9090',
            timeoutMs: 5_000,
            auth: { username: 'u', password: { file } },
            tls: { ca: file, cert: undefined, key: undefined, insecure: true },
            allowLinkLocal: true,
          },
        ],
        bindings: [
          {
            station: { subscription: 'acme', resourceGroup: 'g', zone: 'z', name: 'east' },
            tie: [
              { labels: ['instance'], to: ['name'], stripPort: true },
              { labels: ['cluster', 'node'], to: ['label.cluster', 'name'], stripPort: false },
            ],
          },
        ],
      },
    ]);
  });

  it('lets an Alertmanager take stations and ties from the Prometheus sources', () => {
    const { sources, errors } = readSources([
      { name: 'a', prometheus, stations: [east], tie },
      { name: 'b', prometheus, stations: [east, west], tie: [{ label: 'node', to: 'label.host' }] },
      { name: 'all', alertmanager: { url: ['http://am-1:9093', 'http://am-2:9093'] } },
      { name: 'some', alertmanager: { url: 'http://am:9093' }, stations: [west] },
      { name: 'own', alertmanager: { url: 'http://am:9093' }, stations: [west], tie },
    ]);
    expect(errors).toEqual([]);
    const shown = sources.map(({ bindings }) =>
      bindings.map((each) => `${each.station.name}: ${each.tie.map(({ labels }) => labels).join()}`),
    );
    expect(shown.slice(2)).toEqual([
      ['east: instance,node', 'west: node'],
      ['west: node'],
      ['west: instance'],
    ]);
    expect(sources[2]!.endpoints).toHaveLength(2);
  });

  it('takes the four names of a station', () => {
    const { sources, errors } = readSources([
      { name: 'a', prometheus, stations: ['acme/web/zone-1/a%2Fb'], tie },
    ]);
    expect(errors).toEqual([]);
    expect(sources[0]!.bindings[0]!.station).toEqual({
      subscription: 'acme',
      resourceGroup: 'web',
      zone: 'zone-1',
      name: 'a/b',
    });
  });

  it('accepts no sources', () => {
    expect(readSources([])).toEqual({ sources: [], errors: [] });
  });

  it.each<[string, unknown, string]>([
    ['a mistyped key', { nam: 'x' }, '0.nam: is not known here; did you mean name?'],
    ['no server', { name: 'x' }, '0: needs either prometheus or alertmanager'],
    ['both servers', { name: 'x', prometheus, alertmanager: prometheus }, '0: needs either prometheus'],
    ['a bad name', { name: 'a b', prometheus, stations: [east], tie }, '0.name: must be at most 63'],
    ['no stations', { name: 'x', prometheus, tie }, '0: needs stations'],
    ['no tie', { name: 'x', prometheus, stations: [east] }, '0: needs tie'],
    [
      'a bad station',
      { name: 'x', prometheus, stations: ['east'], tie },
      '0.stations.0: must be a station such as',
    ],
    [
      'a station twice',
      { name: 'x', prometheus, stations: [east, east], tie },
      '0.stations.1: is named twice',
    ],
    [
      'a mistyped field',
      { name: 'x', prometheus, stations: [east], tie: [{ label: 'a', to: 'nmae' }] },
      '0.tie.0.to: must be a field of the resource, got "nmae"; did you mean name?',
    ],
    [
      'a mistyped key of a rule',
      { name: 'x', prometheus, stations: [east], tie: [{ lable: 'a', to: 'name' }] },
      '0.tie.0.lable: is not known here; did you mean label?',
    ],
    [
      'fewer fields than labels',
      { name: 'x', prometheus, stations: [east], tie: [{ labels: ['a', 'b'], to: 'name' }] },
      '0.tie.0: has 2 labels for 1 fields',
    ],
    ['no url', { name: 'x', prometheus: {}, stations: [east], tie }, '0.prometheus: needs a url'],
    [
      'another scheme',
      { name: 'x', prometheus: { url: 'file:///etc' }, stations: [east], tie },
      'must begin with http',
    ],
    [
      'a list of Prometheus',
      { name: 'x', prometheus: { url: ['http://a'] }, stations: [east], tie },
      'must be a URL',
    ],
    [
      'a bad interval',
      { name: 'x', prometheus: { ...prometheus, interval: '15' }, stations: [east], tie },
      'must be a duration from 1s to 1h',
    ],
    [
      'an unset variable',
      {
        name: 'x',
        prometheus: { ...prometheus, auth: { bearer: { env: 'ROSTER_NOT_SET' } } },
        stations: [east],
        tie,
      },
      'which is not set',
    ],
    [
      'a missing file',
      { name: 'x', prometheus: { ...prometheus, tls: { ca: '/none/ca.pem' } }, stations: [east], tie },
      'which is not a file',
    ],
    [
      'a relative file',
      { name: 'x', prometheus: { ...prometheus, tls: { ca: 'ca.pem' } }, stations: [east], tie },
      'must be an absolute path',
    ],
    [
      'a certificate without key',
      { name: 'x', prometheus: { ...prometheus, tls: { cert: '/c.pem' } }, stations: [east], tie },
      'needs both cert and key',
    ],
  ])('refuses %s', (_, source, expected) => {
    expect(errorsOf(source).join('\n')).toContain(expected);
  });

  const discovery = { jobs: { node: 'resource_type.compute.vm' } };
  const discovering = (given: object) => ({ name: 'x', prometheus, stations: [east], tie, discovery: given });

  it('reads a discovery, with its defaults', () => {
    const { sources, errors } = readSources([
      discovering(discovery),
      {
        ...discovering({
          ...discovery,
          station: west,
          name: 'node',
          strip_port: true,
          display_name: 'nodename',
          labels: { rack: 'rack' },
          grace: '2h',
          allow_removal: 300,
          max_resources: 7,
        }),
        name: 'y',
        stations: [east, west],
      },
    ]);
    expect(errors).toEqual([]);
    const jobs = new Map([['node', 'resource_type.compute.vm']]);
    expect(sources.map((source) => source.discovery)).toEqual([
      {
        station: sources[0]!.bindings[0]!.station,
        jobs,
        name: 'instance',
        stripPort: false,
        displayName: undefined,
        labels: new Map(),
        graceMs: 3_600_000,
        allowRemoval: 'half',
        maxResources: 20_000,
      },
      {
        station: sources[1]!.bindings[1]!.station,
        jobs,
        name: 'node',
        stripPort: true,
        displayName: 'nodename',
        labels: new Map([['rack', 'rack']]),
        graceMs: 7_200_000,
        allowRemoval: 300,
        maxResources: 7,
      },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['no jobs', discovering({}), '0.discovery: needs jobs'],
    ['empty jobs', discovering({ jobs: {} }), '0.discovery.jobs: must have keys with values'],
    [
      'a type that is none',
      discovering({ jobs: { node: 'vm' } }),
      '0.discovery.jobs.node: must have the form resource_type.',
    ],
    [
      'a mistyped key',
      discovering({ ...discovery, gracee: '1h' }),
      '0.discovery.gracee: is not known here; did you mean grace?',
    ],
    [
      'a bad label',
      discovering({ ...discovery, name: 'in-stance' }),
      '0.discovery.name: must be the name of',
    ],
    [
      'a bad label key',
      discovering({ ...discovery, labels: { '-': 'rack' } }),
      '0.discovery.labels.-: has a label key that must be',
    ],
    [
      'a bad allowance',
      discovering({ ...discovery, allow_removal: 'some' }),
      '0.discovery.allow_removal: must be half, all or a number',
    ],
    [
      'no room for any resource',
      discovering({ ...discovery, max_resources: 0 }),
      '0.discovery.max_resources: must be a whole number from 1 to 500000, got 0',
    ],
    [
      'a station of others',
      discovering({ ...discovery, station: west }),
      '0.discovery.station: must be one of the stations of the source',
    ],
    [
      'no station where there are several',
      { ...discovering(discovery), stations: [east, west] },
      '0.discovery: needs station: in which of its stations',
    ],
    [
      'the discovery of an Alertmanager',
      { name: 'x', alertmanager: prometheus, stations: [east], tie, discovery },
      '0.discovery: is for prometheus',
    ],
  ])('refuses a discovery with %s', (_, source, expected) => {
    expect(errorsOf(source).join('\n')).toContain(expected);
  });

  it('refuses secrets in the configuration, and does not repeat them', () => {
    const stations = [east];
    const errors = errorsOf(
      { name: 'a', prometheus: { ...prometheus, auth: { bearer: 'hunter2' } }, stations, tie },
      { name: 'b', prometheus: { url: 'http://user:hunter2@prometheus' }, stations, tie },
    ).join('\n');
    expect(errors).toContain('0.prometheus.auth.bearer: must not be written into the configuration');
    expect(errors).toContain('1.prometheus.url: must have neither user name nor password');
    expect(errors).not.toContain('hunter2');
  });

  it('refuses two sources of one name, and reports all errors', () => {
    const same = { name: 'a', prometheus, stations: [east], tie };
    expect(errorsOf(same, same, { name: 'c' })).toEqual([
      '2: needs either prometheus or alertmanager',
      '1: has the name "a", which another source has',
    ]);
  });
});
