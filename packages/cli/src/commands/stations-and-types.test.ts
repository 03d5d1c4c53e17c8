import type { TrendPoint } from '@roster/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendJson, startLocalServer } from '../testing/local-server.ts';
import { runOnTerminal } from '../testing/run-on-terminal.ts';
import { printed, runRoster } from '../testing/run-roster.ts';
import { type RunningRoster, startRoster } from '../testing/start-roster.ts';
import { version } from '../version.ts';

let roster: RunningRoster;
let environment: Record<string, string>;

beforeAll(async () => {
  roster = await startRoster();
  environment = { ROSTER_SERVER: roster.url, ROSTER_STATION: 'demo/sample/zone-1/station-1' };
});
afterAll(() => roster.stop());

const run = (...words: string[]) => runRoster(words, { environment });
const print = (...words: string[]) => printed(words, { environment });

describe('roster get', () => {
  it('shows all fields of a resource, with the station from the environment or as an argument', async () => {
    const text = await print('get', 'res-c3794a08ca26');
    expect(text).toContain('resource_type      Bare-metal server (resource_type.compute.bare_metal)\n');
    expect(text).toContain('state              INACTIVE\n');
    expect(await print('get', 'demo/sample/zone-1/station-1', 'res-c3794a08ca26')).toBe(text);
    expect(JSON.parse(await print('get', 'res-c3794a08ca26', '-o', 'json'))).toMatchObject({
      resource_id: 'res-c3794a08ca26',
      product: 'product.compute',
      state: 'ALERTSTATE_INACTIVE',
    });
  });

  it('exits with 3 when there is none', async () => {
    const { code, stdout, stderr } = await run('get', 'nope');
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('"nope"');
  });
});

describe('roster summary', () => {
  it('counts states and coverage', async () => {
    const text = await print('summary');
    expect(text).toMatch(/^1 204 resources, 1 002 can have alerts: 721 covered \(72 %\), 281 uncovered\n/);
    expect(text).toMatch(/^FIRING +29$/m);
    expect(text).toMatch(/^GPU node +160 +4 +48 +70 %$/m);
    const { uncovered } = JSON.parse(
      await print('summary', '--product', 'product.gpu_cluster', '-o', 'json'),
    );
    expect(uncovered).toBe(48);
  });

  it('prints sensible output for an empty result', async () => {
    expect(await print('summary', '--product', 'product.none')).toBe(
      '0 resources, 0 can have alerts: 0 covered (–), 0 uncovered\n',
    );
  });
});

const none = { total: null, alertable: null, covered: null, uncovered: null, states: null, peaks: null };
const gap = (time: string): TrendPoint => ({ time: `${time}:00.000Z`, hours: 0, ...none });
const known = (time: string): TrendPoint => ({
  time: `${time}:00.000Z`,
  hours: 1,
  total: 20_000,
  alertable: 100,
  covered: 50,
  uncovered: 50,
  states: { ALERTSTATE_FIRING: 1, ALERTSTATE_SUPPRESSED: 7 },
  peaks: { ALERTSTATE_FIRING: 3 },
});

async function trendsOf(points: readonly TrendPoint[], ...words: string[]) {
  const { url } = await startLocalServer(({ pathname }, response) =>
    sendJson(response, pathname.endsWith('/sources') ? { sources: [] } : { step: 'hour', points }),
  );
  const run = ['trends', 'a/b/c/d', '--server', url, ...words];
  const { stdout } = await runOnTerminal(run, { columns: 120 });
  return stdout.split('\n').slice(0, -1);
}

describe('roster trends', () => {
  it('has a row for each hour or day, and says where nothing is known', async () => {
    const lines = (await print('trends', '--after', '3d', '--before', '2d')).split('\n');
    expect(lines[0]).toMatch(
      /^TIME \(UTC\) +RESOURCES +FIRING +PEAK +PENDING +SUPPRESSED +UNCOVERED +COVERED$/,
    );
    expect(lines[1]).toMatch(/^no data \S+ \d\d:00 – \S+ \d\d:00$/);
    expect(lines).toHaveLength(3);
    const points = JSON.parse(await print('trends', '--step', 'day', '--after', '9d', '-o', 'json'));
    expect(points).toHaveLength(10);
    expect(points[0]).toMatchObject({ hours: 0, total: null });
    expect((await run('trends', '--step', 'week')).stderr).toContain('--step must be one of hour, day');
  });

  it('has one line for hours without data', async () => {
    const points = [
      gap('2026-11-16T22:00'),
      gap('2026-11-16T23:00'),
      gap('2026-11-17T00:00'),
      known('2026-11-17T01:00'),
      gap('2026-11-17T02:00'),
      known('2026-11-17T03:00'),
      gap('2026-11-17T23:00'),
    ];
    const row = ' 20000       1     3        0           7         50     50 %';
    expect(await trendsOf(points)).toEqual([
      'TIME (UTC)        RESOURCES  FIRING  PEAK  PENDING  SUPPRESSED  UNCOVERED  COVERED',
      'no data 2026-11-16 22:00 – 2026-11-17 01:00',
      `2026-11-17 01:00     ${row}`,
      'no data 2026-11-17 02:00–03:00',
      `2026-11-17 03:00     ${row}`,
      'no data 2026-11-17 23:00 – 2026-11-18 00:00',
    ]);
    expect(JSON.parse((await trendsOf(points, '-o', 'json')).join(''))).toEqual(points);
    expect(await trendsOf(points, '--sort', 'firing')).toHaveLength(8);
  });

  it('has dates for days', async () => {
    const points = [
      known('2026-11-13T00:00'),
      gap('2026-11-14T00:00'),
      gap('2026-11-15T00:00'),
      known('2026-11-16T00:00'),
      gap('2026-11-17T00:00'),
    ];
    expect(await trendsOf(points, '--step', 'day', '--columns', 'time,peak_firing')).toEqual([
      'TIME (UTC)  PEAK',
      '2026-11-13     3',
      'no data 2026-11-14 – 2026-11-15',
      '2026-11-16     3',
      'no data 2026-11-17',
    ]);
  });
});

describe('stations', () => {
  it('are created, listed and deleted', async () => {
    expect((await run('station', 'create', 'demo/made/zone%2F1/a')).stdout).toMatch(
      /^created: subscriptions\/demo/,
    );
    expect((await run('station', 'create', 'demo/made/zone%2F1/a')).stdout).toMatch(/^already exists: /);
    expect(await print('stations', '--resource-group', 'made', '-o', 'name')).toBe('demo/made/zone%2F1/a\n');
    expect(await print('stations', '--prefix', 'station')).toMatch(
      /^demo\/sample\/zone-1\/station-1 +1204 +29 +45 +0 +281$/m,
    );
    expect((await run('station', 'create', 'demo/made/zone%2F1/b ü')).stdout).toMatch(/\/b ü\n$/);
    expect(await print('stations', '--resource-group', 'made')).toMatch(/^demo\/made\/zone%2F1\/b ü {2}/m);
    for (const format of ['name', 'csv']) {
      expect(await print('stations', '--resource-group', 'made', '-o', format)).toContain('/b%20%C3%BC');
    }
    const unasked = await run('station', 'delete', 'demo/made/zone%2F1/a');
    expect(unasked).toEqual({
      code: 2,
      stdout: '',
      stderr: 'roster: not a terminal: pass --yes to confirm\n',
    });
    expect((await run('station', 'delete', 'demo/made/zone%2F1/a', '--yes')).code).toBe(0);
    expect((await run('station', 'delete', 'demo/made/zone%2F1/a', '--yes')).code).toBe(3);
  });

  it('can be told apart on a narrow terminal, which shows what is suppressed only if there is room', async () => {
    const station = (name: string) => ({
      station: name,
      subscription_name: 'acme-production',
      resource_group_name: 'platform-monitoring',
      zone: 'eu-central-1',
      telemetry_station_name: name,
      revision: 'e.1',
      resources: { total: 20_000, uncovered: 1_000, states: { ALERTSTATE_SUPPRESSED: 12_345 } },
    });
    const stations = ['gpu-training-a', 'gpu-training-b'].map(station);
    const { url } = await startLocalServer((_, response) =>
      sendJson(response, { stations, page: { offset: 0, size: 1000, total: 2 } }),
    );
    const show = async (columns: number) =>
      (await runOnTerminal(['stations', '--server', url], { columns })).stdout;
    const [header, first, second] = (await show(80)).split('\n');
    expect(header).toMatch(/^STATION +RESOURCES +FIRING +PENDING +UNCOVERED$/);
    expect(first).toMatch(/^acme-prod.*….*gpu-training-a +20000 +0 +0 +1000$/);
    expect(second).toMatch(/^acme-prod.*….*gpu-training-b +20000 /);
    expect([first, second].map((line) => line!.length)).toEqual([80, 80]);
    expect(await show(120)).toMatch(
      / SUPPRESSED +UNCOVERED\nacme-production\/platform-monitoring\/.* 12345 +1000\n/,
    );
  });

  it('are never deleted because a variable names them', async () => {
    expect((await run('station', 'delete', '--yes')).code).toBe(2);
    expect(await print('list', '--count')).toBe('1204\n');
  });
});

describe('types', () => {
  it('are set in parts, listed and deleted', async () => {
    const key = 'resource_type.test.thing';
    expect(await print('types', 'set', key, '--label', 'en=Thing', '--alertable', 'false')).toBe(
      `created: ${key}\n`,
    );
    expect(await print('types', 'set', key, '--label', 'zh-CN=东西')).toBe(`changed: ${key}\n`);
    const all = JSON.parse(await print('types', 'list', '-o', 'json'));
    expect(all.find((type: { key: string }) => type.key === key)).toMatchObject({
      alertable: false,
      labels: { en: 'Thing', 'zh-CN': '东西' },
    });
    expect((await run('types', 'delete', key)).code).toBe(0);
    expect((await run('types', 'delete', key)).code).toBe(3);
  });

  it('in use stay', async () => {
    expect((await run('types', 'delete', 'resource_type.compute.vm')).code).toBe(1);
  });

  it('need labels that say their language', async () => {
    const { code, stderr } = await run('types', 'set', 'resource_type.test.thing', '--label', 'Thing');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `roster: --label must be LANGUAGE=TEXT, such as 'en=GPU node', got "Thing"\n`,
    });
  });
});

describe('roster changes', () => {
  it('shows the history of a resource, and changes after a revision', async () => {
    const station = 'demo/changes/zone-1/a';
    const write = (state: string) =>
      printed(['import', station, '-', '--format', 'csv', '--create', '-o', 'json'], {
        environment,
        input: `resource_id,name,resource_type,state\nvm-1,vm-1,resource_type.compute.vm,${state}\n`,
      });
    const { revision } = JSON.parse(await write('ALERTSTATE_INACTIVE'));
    await write('ALERTSTATE_FIRING');
    const text = await print('changes', station, '--resource', 'vm-1');
    expect(text).toMatch(/ updated +vm-1 +vm-1 +INACTIVE → FIRING$/m);
    const narrow = await runOnTerminal(['changes', station], { columns: 80, environment });
    expect(narrow.stdout).toMatch(/ updated +vm-1 .* INACTIVE → FIRING\n$/);
    const newer = JSON.parse(await print('changes', station, '--since', revision, '-o', 'json'));
    expect(newer).toMatchObject([{ change: 'updated', resource_id: 'vm-1' }]);
    expect(await runRoster(['changes', station, '--after', '2000-01-01'], { environment })).toMatchObject({
      stdout: expect.stringMatching(/ created .* updated /s),
      stderr: '',
    });
  });

  it('says where the history begins if it was asked for what is forgotten', async () => {
    const time = '2026-11-17T00:00:00.000Z';
    const page = { changes: [], next: 'e.4', has_more: false, history_from: { revision: 'e.3', time } };
    const { url } = await startLocalServer((_, response) => sendJson(response, page));
    const told = async (...words: string[]) => {
      const { stderr } = await runRoster(['changes', 'a/b/c/d', '--server', url, ...words]);
      return stderr;
    };
    const forgotten = `history begins ${time}; older changes were forgotten\n`;
    expect(await told('-o', 'json')).toBe(forgotten);
    expect(await told('--after', '2026-11-16')).toBe(`no changes\n${forgotten}`);
    expect(await told('--after', '2026-11-17T00:00:01Z')).toBe('no changes\n');
    expect(await told('--since', 'e.3', '-o', 'json')).toBe('');
  });
});

describe('roster stations', () => {
  it('tells an empty server from filters that match nothing', async () => {
    const empty = await startLocalServer((_, response) =>
      sendJson(response, { stations: [], page: { offset: 0, size: 1000, total: 0 } }),
    );
    const stations = (...words: string[]) => runRoster(['stations', '--server', empty.url, ...words]);
    expect((await stations()).stderr).toBe(
      'no stations yet, or none in your scopes; create one with roster station create ' +
        'SUBSCRIPTION/RESOURCE_GROUP/ZONE/NAME\n',
    );
    expect((await stations('--zone', 'z')).stderr).toBe('no stations match\n');
  });
});

describe('roster itself', () => {
  it('prints its version', async () => {
    expect(await print('--version')).toBe(`roster ${version}\n`);
  });

  it('shows help for everything, with every command and flag', async () => {
    const overview = await print('help');
    expect(await print('--help')).toBe(overview);
    expect(await print()).toBe(overview);
    for (const name of ['list', 'station create', 'types set', 'context use', 'probe']) {
      expect(overview).toContain(`  ${name} `);
      const help = await print('help', ...name.split(' '));
      expect(help).toContain(`  roster ${name} `);
      expect(await print(...name.split(' '), '--help')).toBe(help);
    }
    const group = await print('help', 'station');
    expect(group).toMatch(/ {2}station create [\s\S]* {2}station delete /);
    expect(await print('station', '--help')).toBe(group);
  });

  it('keeps help within 100 columns', async () => {
    for (const line of (await print('list', '--help')).split('\n'))
      expect(line.length).toBeLessThanOrEqual(100);
  });

  it.each([
    [['lst'], 'roster: unknown command "lst"; did you mean list?\n'],
    [['frobnicate'], 'roster: unknown command "frobnicate"; see roster help\n'],
    [['watch'], 'roster: unknown command "watch"; see roster list --watch and roster changes --follow\n'],
    [['constructor'], 'roster: unknown command "constructor"; see roster help\n'],
    [['station'], 'roster: roster station needs one of create, delete\n'],
    [
      ['station', 'list'],
      'roster: roster station needs one of create, delete, got "list"; see roster stations\n',
    ],
    [
      ['station', 'craete'],
      'roster: roster station needs one of create, delete, got "craete"; did you mean create?\n',
    ],
    [['list', '--tpye', 'x'], 'roster: unknown flag --tpye; did you mean --type?\n'],
    [
      ['list', '-o', 'jsn'],
      'roster: -o must be one of table, wide, json, ndjson, csv, yaml, name, got "jsn"; did you mean json?\n',
    ],
    [
      ['--server', 'x', 'list'],
      'roster: flags go after the command, as in roster list --server; see roster help\n',
    ],
    [['get'], 'roster: missing argument: roster get [STATION] RESOURCE_ID [FLAGS]\n'],
  ])('refuses %j with exit code 2', async (words, stderr) => {
    expect(await run(...words)).toEqual({ code: 2, stdout: '', stderr });
  });
});
