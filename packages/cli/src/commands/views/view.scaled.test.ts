import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longOnly, shortOnly } from '../../../../../testing/scale.ts';
import { printed, runRoster } from '../../testing/run-roster.ts';
import { type RunningRoster, startRoster } from '../../testing/start-roster.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'roster-cli-'));
const station = 'demo/sample/zone-1/station-1';
let roster: RunningRoster;
let environment: Record<string, string>;
let reader: string;

beforeAll(async () => {
  const admin = await printed(['token', 'generate']);
  const file = path.join(directory, 'token');
  writeFileSync(file, admin);
  roster = await startRoster({ ROSTER_AUTH: 'on', ROSTER_BOOTSTRAP_TOKEN_FILE: file });
  environment = { ROSTER_SERVER: roster.url, ROSTER_TOKEN: admin.trim(), ROSTER_STATION: station };
  reader = (await print('token', 'create', 'reader', '--role', 'reader', '--scope', 'demo/**')).trim();
});
afterAll(async () => {
  await roster.stop();
  rmSync(directory, { recursive: true });
});

const run = (...words: string[]) => runRoster(words, { environment });
const print = (...words: string[]) => printed(words, { environment });
const runAs = (token: string, ...words: string[]) =>
  runRoster(words, { environment: { ...environment, ROSTER_TOKEN: token } });

describe('roster view', () => {
  shortOnly(it)('saves a search, and runs it as roster list would', async () => {
    const filters = ['--state', 'firing', '--type', 'resource_type.compute.gpu_node', '--sort', 'name:desc'];
    expect(await print('view', 'save', 'gpu alerts', ...filters)).toBe(
      'created: /roster/v1/views/gpu%20alerts\n',
    );
    expect(await print('view', 'save', 'gpu alerts', station, ...filters)).toMatch(/^changed: /);
    const listed = await print('list', ...filters, '-o', 'json');
    expect(JSON.parse(listed).length).toBeGreaterThan(1);
    expect(await print('view', 'run', 'gpu alerts', '-o', 'json')).toBe(listed);
    expect(await print('view', 'run', 'gpu alerts', '--page-size', '1', '-o', 'json')).toBe(listed);
    const [first] = JSON.parse(listed) as { resource_id: string }[];
    expect(await print('view', 'run', 'gpu alerts', '--limit', '1', '-o', 'name')).toBe(
      `${first!.resource_id}\n`,
    );
    expect(await print('view', 'run', 'gpu alerts', '--count')).toBe(`${JSON.parse(listed).length}\n`);
    const header = (text: string) => text.split('\n')[0];
    expect(header(await print('view', 'run', 'gpu alerts'))).toBe(header(await print('list', ...filters)));
  });

  shortOnly(it)('shares views, which others list, show and run by name', async () => {
    await print('view', 'save', 'on-call', '--state', 'firing,pending', '--shared');
    const shown = await runAs(reader, 'view', 'show', 'on-call');
    expect(shown.stdout).toMatch(/^name +on-call\nshared +yes\nstation +demo\/sample\/zone-1\/station-1\n/);
    expect((await runAs(reader, 'view', 'run', 'on-call', '--count')).stdout).toBe('74\n');
    // One's own comes first, unless asked otherwise.
    await runAs(reader, 'view', 'save', 'on-call', '--state', 'firing');
    expect((await runAs(reader, 'view', 'run', 'on-call', '--count')).stdout).toBe('29\n');
    expect((await runAs(reader, 'view', 'run', 'on-call', '--shared', '--count')).stdout).toBe('74\n');
    const table = (await runAs(reader, 'view', 'list')).stdout;
    expect(table).toMatch(/^NAME +SHARED +STATION +QUERY$/m);
    expect(table).toMatch(/^on-call +no +demo\/sample\/zone-1\/station-1 +state=firing$/m);
    expect(table).toMatch(/^on-call +yes +demo\/sample\/zone-1\/station-1 +state=firing,pending$/m);
    expect((await runAs(reader, 'view', 'list', '--own', '-o', 'name')).stdout).toBe('on-call\n');
    expect((await runAs(reader, 'view', 'list', '--shared', '-o', 'name')).stdout).toBe('on-call\n');
    const refused = await runAs(reader, 'view', 'save', 'x', '--state', 'firing', '--shared');
    expect([refused.code, refused.stdout]).toEqual([4, '']);
  });

  longOnly(it)('searches all stations, and says where each resource is', async () => {
    const saved = await print(
      'view',
      'save',
      'everywhere',
      '--everywhere',
      '--state',
      'firing',
      '-o',
      'json',
    );
    expect(JSON.parse(saved)).toMatchObject({ station: null, query: 'state=firing' });
    expect(await print('view', 'run', 'everywhere', '--count')).toBe('29\n');
    expect(await print('view', 'run', 'everywhere', '-o', 'csv')).toBe(
      await print('find', '--state', 'firing', '-o', 'csv'),
    );
    const placed = await print('view', 'save', 'placed', '--station', station, '--zone', 'a,b', '-o', 'json');
    expect(JSON.parse(placed)).toMatchObject({
      station: null,
      query: expect.stringMatching(/^zone=a,b&station=subscriptions\/demo\/.*\/station-1$/),
    });
    const table = await print('view', 'run', 'everywhere', '--columns', 'state,station', '--limit', '1');
    expect(table).toMatch(/^STATE +STATION\nFIRING +demo\/sample\/zone-1\/station-1\n$/);
  });

  longOnly(it)('deletes views', async () => {
    await print('view', 'save', 'short-lived', '--uncovered');
    expect(await run('view', 'delete', 'short-lived')).toMatchObject({
      code: 0,
      stderr: 'deleted: short-lived\n',
    });
    const dated = await print('view', 'save', 'short-lived', '--since-after', '2026-01-31', '-o', 'json');
    expect(JSON.parse(dated)).toMatchObject({ query: 'state_since_after=2026-01-31T00:00:00.000Z' });
    await print('view', 'save', 'short-lived', '--since-before', '90m', '--created-after', '30d');
    expect(JSON.parse(await print('view', 'show', 'short-lived', '-o', 'json'))).toMatchObject({
      query: 'created_after=now-30d&state_since_before=now-90m',
    });
    expect(await print('view', 'run', 'short-lived', '--count')).toBe(
      await print('list', '--since-before', '90m', '--created-after', '30d', '--count'),
    );
    await print('view', 'delete', 'short-lived');
    for (const command of ['delete', 'show', 'run']) {
      const { code, stderr } = await run('view', command, 'short-lived');
      expect([code, stderr]).toEqual([
        3,
        'roster: there is no view of yours called "short-lived"; see roster view list\n',
      ]);
    }
  });

  longOnly(it)('names the view that was meant', async () => {
    await print('view', 'save', 'firing-now', '--state', 'firing');
    const { code, stderr } = await run('view', 'run', 'firing-mow');
    expect([code, stderr]).toEqual([3, expect.stringContaining('did you mean "firing-now"?')]);
    await print('view', 'save', 'night-shift', '--state', 'firing', '--shared');
    const shared = await run('view', 'run', 'nightshfit');
    expect([shared.code, shared.stderr]).toEqual([
      3,
      'roster: there is no view of yours called "nightshfit"; did you mean the shared view "night-shift"?\n',
    ]);
  });

  shortOnly(
    it.each([
      [['save'], 'roster view save NAME [STATION] [FLAGS]'],
      [['save', 'x', station, '--everywhere'], '--everywhere searches all stations'],
      [['save', 'x', station, '--zone', 'a'], '--zone searches all stations'],
      [['save', 'x', '--sort', 'age'], '--sort must be one of'],
      [['save', 'x', '--limit', '5'], 'unknown flag --limit'],
      [['save', 'x', 'demo/sample'], 'a station must be written as'],
      [['run', 'x', '--state', 'firing'], 'unknown flag --state'],
      [['run', '..'], 'the name of the view'],
      [['list', '--own', '--shared'], '--shared and --own exclude each other'],
    ]),
  )('refuses %j with exit code 2', async (words, message) => {
    const { code, stdout, stderr } = await run('view', ...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  shortOnly(it)('tells what the server refuses', async () => {
    const wrong = await run('view', 'save', 'x', '--state', 'fir!ng');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('query: state must be states')]);
    const missing = await run('view', 'save', 'x', 'demo/sample/zone-1/none');
    expect([missing.code, missing.stderr]).toEqual([3, expect.stringContaining('there is no station')]);
  });
});
