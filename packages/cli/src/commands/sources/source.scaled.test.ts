import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { longOnly, shortOnly } from '../../../../../testing/scale.ts';
import { formatCount } from '../../terminal/format-numbers.ts';
import { startLocalServer } from '../../testing/local-server.ts';
import { printed, runRoster, temporaryDirectory } from '../../testing/run-roster.ts';
import { startRoster } from '../../testing/start-roster.ts';

const sample = 'subscriptions/demo/resourceGroups/sample/zones/zone-1/telemetryStations/station-1';

/** A Prometheus with one rule, one alert that ties and one that does not. */
async function fakePrometheus(name: string): Promise<string> {
  const alerts = [name, 'nobody'].map((host) => ({
    labels: { alertname: 'Down', host },
    annotations: {},
    state: 'firing',
    activeAt: '2026-01-31T08:00:00Z',
  }));
  const rules = [
    { type: 'alerting', name: 'Down', query: 'up == 0', labels: {}, health: 'ok', alerts },
    { type: 'alerting', name: 'Odd', query: 'unheard_of(x)', labels: {}, health: 'ok', alerts: [] },
  ];
  const data: Record<string, unknown> = {
    '/api/v1/rules': { groups: [{ name: 'g', file: 'f', rules }] },
    '/api/v1/series': [{ __name__: 'up', host: name }],
    '/api/v1/targets': {
      activeTargets: [
        { labels: { job: 'node', host: name } },
        { labels: { job: 'node', host: 'other' } },
        { labels: { job: 'node', host: 'surplus' } },
        { labels: { job: 'mystery', host: 'x' } },
      ],
    },
  };
  const { url } = await startLocalServer(({ pathname }, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ status: 'success', data: data[pathname] }));
  });
  return url;
}

shortOnly(it)(
  'asks the sources of a configuration, ties what they say, and lists them once they are polled',
  async () => {
    const plain = await startRoster();
    onTestFinished(async () => void (await plain.stop()));
    const response = await fetch(`${plain.url}/roster/v1/${sample}/resources?page.size=1`);
    const { resources, page } = (await response.json()) as {
      resources: { name: string }[];
      page: { total: number };
    };
    const url = await fakePrometheus(resources[0]!.name);
    const source = (name: string, address: string) => ({
      name,
      prometheus: { url: address, interval: '1s' },
      stations: [sample],
      tie: [{ label: 'host', to: 'name' }],
      discovery: { jobs: { node: 'resource_type.compute.vm' }, name: 'host', max_resources: 1 },
    });
    const cwd = temporaryDirectory();
    const sources = JSON.stringify([source('prom', url), source('gone', 'http://127.0.0.1:9')]);
    writeFileSync(path.join(cwd, 'roster.yaml'), `sources: ${sources}\n`);
    const environment = { ROSTER_SERVER: plain.url };

    const text = await printed(['source', 'test', 'prom'], { cwd, environment });
    expect(text).toMatch(/^prom: answers$/m);
    expect(text).toContain(`  resources  ${formatCount(page.total)}, of which`);
    expect(text).toMatch(/^ {2}alerts +1 of 2 tied$/m);
    expect(text).toMatch(/^ {2}targets +1 of 4 tied$/m);
    expect(text).toMatch(/^ {4}makes +1: other$/m);
    expect(text).toMatch(/^ {4}refuses +1; max_resources is 1$/m);
    expect(text).toMatch(/^ {4}retires +0$/m);
    expect(text).toMatch(/^ {4}has already +1: /m);
    expect(text).toContain('unmapped jobs (targets): mystery (1)');
    expect(text).toMatch(/^ {2}rules +2, of which 1 unresolved$/m);
    expect(text).toContain('alert {"alertname":"Down","host":"nobody"}: no resource matches');
    expect(text).toContain('target {"job":"node","host":"surplus"}: no resource matches');
    expect(text).not.toContain('target {"job":"node","host":"other"}');
    expect(text).toContain('rule Odd: Roster cannot parse its expression');

    const failed = await runRoster(['source', 'test'], { cwd, environment });
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('gone: refuses connections');
    expect(failed.stderr).toContain('1 source failed');
    const nowhere = 'subscriptions/a/resourceGroups/g/zones/z/telemetryStations/t';
    const { discovery: _, ...undiscovered } = source('lost', url);
    const lostSource = { ...undiscovered, stations: [sample, nowhere] };
    writeFileSync(path.join(cwd, 'lost.yaml'), JSON.stringify({ sources: [lostSource] }));
    const lost = await runRoster(['source', 'test', '--config', 'lost.yaml'], { cwd, environment });
    expect(lost.code).toBe(1);
    expect(lost.stdout).toMatch(/^ {2}there is no station subscriptions\/a\/.*\/t$/m);
    expect(lost.stdout).toMatch(/^ {2}alerts +1 of 2 tied$/m);
    expect(lost.stderr).toContain('there is no station subscriptions/a/');
    const unknown = await runRoster(['source', 'test', 'prm'], { cwd, environment });
    expect(unknown.stderr).toContain('there is no source prm; did you mean prom?');
    expect(await printed(['source', 'list'], { environment })).toBe('');

    const live = await startRoster({ ROSTER_SOURCES: sources });
    onTestFinished(async () => void (await live.stop()));
    const list = () => printed(['source', 'list'], { environment: { ROSTER_SERVER: live.url } });
    await expect
      .poll(list, { timeout: 60_000 })
      .toMatch(/^prom +prometheus +up .* 2 +1 +2 +1 +1 resources of its targets are not created/m);
    await expect
      .poll(list, { timeout: 60_000 })
      .toMatch(/^gone +prometheus +down +never .*refuses connections/m);

    const other = { ...source('prom', url), discovery: { jobs: { db: 'resource_type.compute.vm' } } };
    writeFileSync(path.join(cwd, 'other.yaml'), JSON.stringify({ sources: [other] }));
    const retiring = ['source', 'test', '--config', 'other.yaml'];
    expect(await printed(retiring, { cwd, environment: { ROSTER_SERVER: live.url } })).toMatch(
      /^ {4}retires +0: nothing is retired: 1 of 1 discovered resources no longer have a target/m,
    );
  },
);

longOnly(it)('says of each source what is wrong, and of a file that it cannot edit', async () => {
  const { url } = await startLocalServer(({ pathname }, response) => {
    response.setHeader('Content-Type', 'application/json');
    if (pathname === '/api/v1/targets') response.statusCode = 404;
    response.end(JSON.stringify({ status: 'success', data: { groups: [] } }));
  });
  const roster = await startRoster();
  onTestFinished(async () => void (await roster.stop()));
  const cwd = temporaryDirectory();
  const tie = [{ label: 'host', to: 'name' }];
  const sources = ['one', 'two'].map((name) => ({ name, prometheus: { url }, stations: [sample], tie }));
  writeFileSync(path.join(cwd, 'roster.yaml'), `sources: ${JSON.stringify(sources)}\n...\n`);
  const environment = { ROSTER_SERVER: roster.url };
  const tried = await runRoster(['source', 'test'], { cwd, environment });
  expect(tried.stdout).toMatch(/^one: its targets could not be read: it answered 404.*\n\ntwo: its targets/);
  writeFileSync(path.join(cwd, 'roster.yaml'), 'logLevel: info\n...\n');
  const add = ['--prometheus', url, '--station', sample, '--tie', 'host=name'];
  const added = await runRoster(['source', 'add', 'three', ...add], { cwd });
  expect([added.code, added.stderr]).toEqual([1, expect.stringContaining('edit its sources by hand')]);
});

longOnly(it)('shows only what an Alertmanager has', async () => {
  const { url } = await startLocalServer(({ pathname }, response) => {
    response.setHeader('Content-Type', 'application/json');
    const body = pathname === '/api/v2/status' ? { uptime: '2026-01-31T08:00:00Z' } : [];
    response.end(JSON.stringify(body));
  });
  const roster = await startRoster();
  onTestFinished(async () => void (await roster.stop()));
  const cwd = temporaryDirectory();
  const am = { name: 'am', alertmanager: { url }, stations: [sample], tie: [{ label: 'host', to: 'name' }] };
  writeFileSync(path.join(cwd, 'roster.yaml'), JSON.stringify({ sources: [am] }));
  const environment = { ROSTER_SERVER: roster.url };
  const text = await printed(['source', 'test'], { cwd, environment });
  expect(text).toMatch(/^am: answers\n {2}resources .+\n {2}alerts +0 of 0 tied\n$/);
  const [trial] = JSON.parse(await printed(['source', 'test', '-o', 'json'], { cwd, environment }));
  expect(trial).toMatchObject({ alerts: { total: 0 }, targets: null, rules: null, discovery: null });
});

shortOnly(it)('checks sources with the other settings, by line and column', async () => {
  const cwd = temporaryDirectory();
  const text = [
    'sources:',
    '  - name: a',
    '    prometeus: { url: http://x }',
    '  - name: b',
    '    prometheus: { url: http://x, auth: { bearer: hunter2 } }',
    '    stations: [here]',
    '    tie: [{ label: a, to: nmae }]',
  ];
  writeFileSync(path.join(cwd, 'roster.yaml'), `${text.join('\n')}\n`);
  const { code, stderr } = await runRoster(['config', 'check'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain(
    'roster.yaml:3:16: sources[0].prometeus is not known here; did you mean prometheus?',
  );
  expect(stderr).toContain('roster.yaml:2:5: sources[0] needs either prometheus or alertmanager');
  expect(stderr).toContain('roster.yaml:5:50: sources[1].prometheus.auth.bearer must not be written');
  expect(stderr).toContain('roster.yaml:6:16: sources[1].stations[0] must be a station such as');
  expect(stderr).toContain('roster.yaml:7:27: sources[1].tie[0].to must be a field of the resource');
  expect(stderr).not.toContain('hunter2');
  expect(stderr).toContain('5 errors in the settings');
});

const before = `# who listens where
port:   9001 # not the default

sources:
  # the first
  - name: prom
    prometheus: { url: http://prom:9090 } # in the cellar
    stations: [subscriptions/a/resourceGroups/g/zones/z/telemetryStations/t]
    tie: [{ label: instance, to: name }]

logLevel: warn
`;

shortOnly(it)('adds and removes sources, and leaves the rest of the file as it is', async () => {
  const cwd = temporaryDirectory();
  const file = path.join(cwd, 'roster.yaml');
  const secret = path.join(cwd, 'token');
  writeFileSync(secret, 'xyz');
  writeFileSync(file, before);
  chmodSync(file, 0o640);
  const added = await runRoster(['source', 'add', 'am', '--alertmanager', 'http://am:9093'], { cwd });
  expect(added).toEqual({
    code: 0,
    stdout: '',
    stderr: 'added am to roster.yaml; restart the server to use it\n',
  });
  const more = [
    '--prometheus',
    'https://p',
    '--station',
    'a/g/z/u',
    '--bearer-file',
    'token',
    '--interval',
    '30s',
  ];
  const tied = ['--tie', 'instance=name', '--tie', 'cluster,node=label.cluster,name', '--strip-port'];
  const discovered = ['--discover', 'node=resource_type.compute.vm'];
  await printed(['source', 'add', 'p2', ...more, ...tied, ...discovered], { cwd });
  const [start, end] = before.split('\n\nlogLevel');
  expect(readFileSync(file, 'utf8')).toBe(`${start}
  - name: am
    alertmanager:
      url: http://am:9093
  - name: p2
    prometheus:
      url: https://p
      interval: 30s
      auth:
        bearer:
          file: ${secret}
    stations:
      - subscriptions/a/resourceGroups/g/zones/z/telemetryStations/u
    tie:
      - label: instance
        to: name
        strip_port: true
      - labels:
          - cluster
          - node
        to:
          - label.cluster
          - name
        strip_port: true
    discovery:
      jobs:
        node: resource_type.compute.vm
      strip_port: true

logLevel${end}`);
  expect(statSync(file).mode & 0o777).toBe(0o640);
  await printed(['config', 'check'], { cwd });
  await printed(['source', 'remove', 'p2'], { cwd });
  await printed(['source', 'remove', 'am'], { cwd });
  expect(readFileSync(file, 'utf8')).toBe(before);
  await printed(['source', 'remove', 'prom'], { cwd });
  expect(readFileSync(file, 'utf8')).toContain('\nsources: []\n  # the first\n\nlogLevel: warn\n');
  expect(readdirSync(cwd).sort()).toEqual(['roster.yaml', 'token']);
});

longOnly(it)('loses no source when several are added at once', async () => {
  const cwd = temporaryDirectory();
  const file = path.join(cwd, 'roster.yaml');
  const crlf = before.replaceAll('\n', '\r\n');
  writeFileSync(file, crlf);
  const names = ['a', 'b', 'c', 'd'];
  const add = (name: string) => ['source', 'add', name, '--alertmanager', `http://${name}:9093`];
  await Promise.all(names.map((name) => printed(add(name), { cwd })));
  const text = readFileSync(file, 'utf8');
  for (const name of names) expect(text).toContain(`\r\n  - name: ${name}\r\n`);
  expect(text).not.toMatch(/(?<!\r)\n/);
  await Promise.all(names.map((name) => printed(['source', 'remove', name], { cwd })));
  expect(readFileSync(file, 'utf8')).toBe(crlf);
  expect(readdirSync(cwd)).toEqual(['roster.yaml']);

  writeFileSync(`${file}.lock`, '');
  const { code, stderr } = await runRoster(add('e'), { cwd });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /another command.* is editing roster\.yaml; if it is not running any more, delete .*roster\.yaml\.lock/,
  );
  expect(readFileSync(file, 'utf8')).toBe(crlf);
});

longOnly(it)('writes no sources that config check would refuse, and says what is wrong', async () => {
  const cwd = temporaryDirectory();
  const file = path.join(cwd, 'roster.yaml');
  const failing = async (...words: string[]) => {
    const { code, stderr } = await runRoster(['source', ...words], { cwd });
    expect(code).not.toBe(0);
    return stderr;
  };
  const tied = ['--station', 'a/g/z/t', '--tie', 'instance=name'];
  expect(await failing('add', 'x', '--prometheus', 'http://p', ...tied)).toContain(
    'there is no ./roster.yaml',
  );
  writeFileSync(file, before);
  expect(await failing('add', 'prom', '--prometheus', 'http://p', ...tied)).toContain(
    'roster.yaml already has a source prom',
  );
  expect(await failing('add', 'x', '--prometheus', 'prom:9090', ...tied)).toMatch(
    /^roster\.yaml:12:12: sources\[1\]\.prometheus\.url must begin with http/m,
  );
  expect(await failing('add', 'x', '--prometheus', 'http://p')).toContain('--station is missing');
  expect(await failing('add', 'x', ...tied)).toContain('pass either --prometheus or --alertmanager');
  expect(await failing('add', 'x', '--prometheus', 'http://p', '--tie', 'instance')).toContain(
    '--tie must be LABEL=FIELD',
  );
  const missing = ['--bearer-file', 'none'];
  expect(await failing('add', 'x', '--prometheus', 'http://p', ...tied, ...missing)).toContain(
    'which is not a file',
  );
  expect(await failing('remove', 'porm')).toContain('there is no source porm; did you mean prom?');
  expect(readFileSync(file, 'utf8')).toBe(before);
});
