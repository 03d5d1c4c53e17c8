import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { longOnly, shortOnly } from '../../../../../testing/scale.ts';
import { printed, runRoster, temporaryDirectory } from '../../testing/run-roster.ts';
import { type RunningRoster, startRoster } from '../../testing/start-roster.ts';

const station = 'demo/sample/zone-1/station-1';
const total = 1204;
let roster: RunningRoster;
let environment: Record<string, string>;

beforeAll(async () => {
  roster = await startRoster();
  environment = { ROSTER_SERVER: roster.url, ROSTER_STATION: station };
});
afterAll(() => roster.stop());

const list = (...words: string[]) => printed(['list', ...words], { environment });
const lines = (text: string) => text.split('\n').slice(0, -1);

describe('roster list', () => {
  shortOnly(it)('lists every resource once, as a table with a header', async () => {
    const [header, ...rows] = lines(await list());
    expect(header).toMatch(/^DISPLAY NAME +STATE +RULES +TYPE +SKU +GPU MODEL +ID$/);
    expect(rows).toHaveLength(total);
    expect(new Set(rows).size).toBe(total);
  });

  shortOnly(it)('takes the station as an argument, short or long', async () => {
    const long = 'subscriptions/demo/resourceGroups/sample/zones/zone-1/telemetryStations/station-1';
    for (const address of [station, long]) {
      const words = ['list', address, '--count', '--server', roster.url];
      expect(await printed(words)).toBe(`${total}\n`);
    }
  });

  shortOnly(it)('prints JSON, NDJSON, YAML and CSV of the same resources', async () => {
    const json = JSON.parse(await list('--limit', '7', '-o', 'json'));
    expect(json).toHaveLength(7);
    expect(lines(await list('--limit', '7', '-o', 'ndjson')).map((line) => JSON.parse(line))).toEqual(json);
    expect(parse(await list('--limit', '7', '-o', 'yaml'))).toEqual(json);
    const [header, ...rows] = (await list('--limit', '7', '-o', 'csv')).split('\r\n');
    expect(header).toMatch(/^display_name,state,alert_rules_count,/);
    expect(rows.slice(0, -1).map((row) => row.split(',')[0])).toEqual(
      json.map((row: { display_name: string }) => row.display_name),
    );
  });

  shortOnly(it)('prints ids alone with -o name', async () => {
    expect(lines(await list('--limit', '2', '-o', 'name'))).toEqual(['res-c3794a08ca26', 'res-51d2c7c6a492']);
  });

  longOnly(it)('prints valid output when nothing matches, and a message instead of a table', async () => {
    expect(JSON.parse(await list('--product', 'product.none', '-o', 'json'))).toEqual([]);
    expect(parse(await list('--product', 'product.none', '-o', 'yaml'))).toEqual([]);
    expect(await list('--product', 'product.none', '-o', 'ndjson')).toBe('');
    const outcome = await runRoster(['list', '--product', 'product.none'], { environment });
    expect(outcome).toEqual({
      code: 0,
      stdout: '',
      stderr: `roster: nothing in the station has the product "product.none"\nno resources match\n`,
    });
  });

  shortOnly(it)(
    'does not say that nothing matches when --limit or --offset leaves everything out',
    async () => {
      for (const [words, stderr] of [
        [['--limit', '0'], '--limit 0 shows none\n'],
        [['--offset', '5000'], 'none from --offset 5000 on\n'],
      ] as const) {
        expect(await runRoster(['list', ...words], { environment })).toEqual({ code: 0, stdout: '', stderr });
      }
    },
  );

  shortOnly(it)('applies the filters of the interface', async () => {
    const types = [
      '--type',
      'resource_type.container.cluster',
      '--type',
      'resource_type.storage.file_system',
    ];
    expect(await list(...types, '--count')).toBe('32\n');
    expect(await list('--product', 'product.storage', '--alertable', '--count')).toBe('294\n');
    expect(await list('--prefix', 'k8s-vision', '--count')).toBe('3\n');
  });

  longOnly(it)('takes ids from a file', async () => {
    const file = path.join(temporaryDirectory(), 'ids.txt');
    writeFileSync(file, 'res-51d2c7c6a492\n\nres-c3794a08ca26\n');
    expect(lines(await list('--id', `@${file}`, '-o', 'name'))).toEqual([
      'res-c3794a08ca26',
      'res-51d2c7c6a492',
    ]);
    writeFileSync(file, '\n');
    const { code, stderr } = await runRoster(['list', '--id', `@${file}`], { environment });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'roster: --id is empty, which would list everything\n',
    });
  });

  shortOnly(it)('asks the server for states and coverage', async () => {
    const states = new Set(
      lines(await list('--state', 'firing', '--columns', 'state', '-o', 'csv')).slice(1),
    );
    expect(states).toEqual(new Set(['ALERTSTATE_FIRING\r']));
    expect(await list('--state', 'firing,pending', '--count')).toBe('74\n');
    expect(await list('--uncovered', '--count')).toBe('281\n');
  });

  longOnly(it)('asks the server for texts, labels and times', async () => {
    const [first] = JSON.parse(await list('--limit', '1', '-o', 'json'));
    const part = first.name.slice(2, -2).toUpperCase();
    expect(lines(await list(`--text=${part}`, '-o', 'name'))).toContain(first.resource_id);
    expect(await list('--since-before', '2020-01-01T00:00:00Z', '--count')).toBe('0\n');
    expect(await list('--since-before', '2020-01-01', '--count')).toBe('0\n');
    expect(await list('--since-after', '9999d', '--count')).toBe(`${total}\n`);
    expect(await list('--label', 'rack=r12', '--count')).toBe('8\n');
    expect(await list('--covered', '--count', '--limit', '5')).toBe('5\n');
    const { stderr } = await runRoster(['list', '--label', 'rak=r12'], { environment });
    expect(stderr).toContain('nothing in the station has the label key "rak"; did you mean "rack"?');
    for (const words of [[], ['--count'], ['--limit', '5']]) {
      const mistyped = await runRoster(['list', '--type', 'resource_type.compute.vn', ...words], {
        environment,
      });
      expect(mistyped.stderr).toContain('did you mean "resource_type.compute.vm"?');
    }
    for (const [words, message] of [
      [['--since-after', '1h', '--since-before', '2h'], '--since-after must be earlier than --since-before'],
      [['--covered', '--uncovered'], '--covered and --uncovered exclude each other'],
      [['--label', 'rack'], '--label must be KEY=VALUE'],
      [['--since-after', 'soon'], '--since-after must be a time, a date or how long ago'],
      [['--sort', 'colour'], '--sort must be one of display_name'],
      [['--state', ''], '--state needs a value'],
    ] as const) {
      const failed = await runRoster(['list', ...words], { environment });
      expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    }
  });

  shortOnly(it)('sorts by what the server has an order for', async () => {
    const words = ['--sort', 'alert_rules_count:desc', '--columns', 'alert_rules_count', '-o', 'ndjson'];
    const counts = lines(await list(...words)).map((line) => JSON.parse(line).alert_rules_count);
    expect(counts).toHaveLength(total);
    expect(counts).toEqual(counts.toSorted((a: number, b: number) => b - a));
  });

  longOnly(it)('gives the part that --offset and --limit ask for, in pages of any size', async () => {
    const all = lines(await list('-o', 'name'));
    const part = ['--offset', '100', '--limit', '25', '-o', 'name'];
    expect(lines(await list(...part))).toEqual(all.slice(100, 125));
    expect(lines(await list(...part, '--page-size', '7'))).toEqual(all.slice(100, 125));
    const sorted = lines(await list('--sort', 'name', '-o', 'name'));
    expect(lines(await list('--sort', 'name', ...part))).toEqual(sorted.slice(100, 125));
    expect(await list('--limit', '0', '-o', 'name')).toBe('');
    expect(lines(await list('--offset', '1200', '-o', 'name'))).toEqual(all.slice(1200));
  });

  shortOnly(it)('selects columns, and colours on request', async () => {
    const coloured = await printed(
      ['list', '--state', 'firing', '--limit', '1', '--columns', 'resource_id,state'],
      {
        environment: { ...environment, FORCE_COLOR: '1' },
      },
    );
    expect(coloured).toContain('\x1b[1;31mFIRING\x1b[0m');
    const plain = await printed(['list', '--no-color', '--limit', '1'], {
      environment: { ...environment, FORCE_COLOR: '1' },
    });
    expect(plain).not.toContain('\x1b');
  });

  longOnly(it)('starts without the parts of Node.js that take long to load', async () => {
    const tellModules = "process.on('exit',()=>process.stderr.write(process.moduleLoadList.join('\\n')))";
    const { stderr } = await runRoster(['list', '--limit', '1'], {
      environment: {
        ...environment,
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(tellModules)}`,
      },
    });
    expect(stderr).toMatch(/^NativeModule http$/m);
    expect(stderr).not.toMatch(/^NativeModule (internal\/deps\/undici|crypto$|sqlite$|worker_threads$)/m);
  });

  shortOnly(it)('shows labels in the language asked for', async () => {
    const words = [
      '--id',
      'res-c3794a08ca26',
      '--columns',
      'resource_type_label',
      '-o',
      'csv',
      '--language',
      'zh-CN',
    ];
    expect(await list(...words)).toBe('resource_type_label\r\n裸金属服务器\r\n');
  });

  shortOnly(
    it.each([
      [['--sort', 'sate'], 'roster: --sort must be one of'],
      [['--sort', 'state:down'], 'which may end in :desc'],
      [['--columns', 'nmae'], 'labels, got "nmae"; did you mean name?'],
      [['--page-size', '0'], 'roster: --page-size must be a whole number of at least 1, got "0"'],
      [['a', 'b'], 'roster: too many arguments: roster list [STATION] [FLAGS]'],
      [['demo/sample'], 'roster: a station must be written as subscription/resourceGroup/zone/name'],
    ]),
  )('refuses %j with exit code 2', async (words, message) => {
    const { code, stdout, stderr } = await runRoster(['list', ...words], { environment });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(lines(stderr)).toHaveLength(1);
  });
});
