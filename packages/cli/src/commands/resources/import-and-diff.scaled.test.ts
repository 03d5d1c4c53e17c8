import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { longOnly, scale, shortOnly } from '../../../../../testing/scale.ts';
import { sendJson, startLocalServer } from '../../testing/local-server.ts';
import {
  cleanEnvironment,
  executable,
  printed,
  runRoster,
  temporaryDirectory,
} from '../../testing/run-roster.ts';
import { file, record, useStations } from '../../testing/use-stations.ts';

const fixture = useStations();
const { run, fill } = fixture;

const names = async () =>
  (await printed(['list', '-o', 'name'], { environment: fixture.environment })).split('\n').slice(0, -1);

describe('roster import', () => {
  shortOnly(it)('patches the states of existing resources', async () => {
    await fill(record('vm-1', { sku: 'large' }) + record('vm-2'));
    const patches = file('states.ndjson', '{"resource_id":"vm-1","state":"ALERTSTATE_FIRING"}\n');
    expect((await run(['diff', patches, '--mode', 'patch'])).stdout).toContain('vm-1');
    const result = await printed(['import', patches, '--mode', 'patch'], {
      environment: fixture.environment,
    });
    expect(result).toContain('0 created, 1 updated');
    const shown = await printed(['get', 'vm-1', '-o', 'json'], { environment: fixture.environment });
    expect(JSON.parse(shown)).toMatchObject({ sku: 'large', state: 'ALERTSTATE_FIRING' });
    const unknown = file('unknown.ndjson', '{"resource_id":"vm-3","state":"ALERTSTATE_FIRING"}\n');
    const refused = await run(['import', unknown, '--mode', 'patch']);
    expect(refused.stderr).toContain('resource_id: "vm-3" is not in the station');
    const table = await run(['import', file('a.csv', 'resource_id\nvm-1\n'), '--mode', 'patch']);
    expect(table.stderr).toContain('a patch must be ndjson or json');
    const unknownFormat = await run(['import', '-', '--mode', 'patch']);
    expect(unknownFormat.stderr).toContain('cannot tell the format of (stdin); pass --format ndjson|json\n');
  });

  shortOnly(it)('leads to --mode patch when records have an id, but no name and type', async () => {
    await fill(record('vm-1'));
    const advice = '; to change existing resources by resource_id alone, use --mode patch';
    for (const [name, content, ending] of [
      ['a.ndjson', '{"resource_id":"vm-1","state":"ALERTSTATE_FIRING"}\n', advice],
      ['a.csv', 'resource_id,state\nvm-1,ALERTSTATE_FIRING\n', `${advice}, which takes ndjson or json`],
      ['b.ndjson', '{"state":"ALERTSTATE_FIRING"}\n', ''],
      ['c.ndjson', '{"resource_id":"vm-2","name":"vm-2"}\n', ''],
    ] as const) {
      const states = file(name, content);
      for (const command of ['import', 'diff']) {
        const message = (await run([command, states])).stderr.split('\n').at(-2)!;
        expect(message.slice(message.indexOf(states) + states.length)).toBe(ending);
      }
    }
  });

  shortOnly(it)('asks about a state that may be mistyped', async () => {
    const { stderr } = await run([
      'import',
      file('a.ndjson', record('vm-1', { state: 'FIRNG' })),
      '--create',
    ]);
    expect(stderr).toContain('got "FIRNG"; did you mean "ALERTSTATE_FIRING"?\n');
    await fill(record('vm-1'));
    const states = file('b.ndjson', record('vm-1', { state: 'ALERTSTATE_FIRNG' }));
    const asked = 'new states: ALERTSTATE_FIRNG (did you mean ALERTSTATE_FIRING?)';
    expect((await run(['diff', states])).stdout).toContain(`, ${asked}\n`);
    expect(await printed(['import', states], { environment: fixture.environment })).toContain(
      `; ${asked} (revision `,
    );
  });

  const files: [string, string | Buffer][] = [
    ['a.ndjson', record('vm-1') + record('vm-2')],
    ['a.json', `[${record('vm-1')},${record('vm-2')}]`],
    [
      'a.csv',
      'resource_id,name,resource_type\nvm-1,vm-1,resource_type.compute.vm\nvm-2,vm-2,resource_type.compute.vm\n',
    ],
    ['a.yml', `- ${record('vm-1')}- ${record('vm-2')}`],
    ['a.ndjson.gz', gzipSync(record('vm-1') + record('vm-2'))],
    ['a.ndjson.zst', zstdCompressSync(record('vm-1') + record('vm-2'))],
  ];

  it.each(scale(files.slice(-3), files.slice(0, -3)))(
    'takes the format of %s from its name',
    async (name, content) => {
      const { code, stdout, stderr } = await run(['import', file(name, content), '--create']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^2 created, 0 updated, 0 removed, 0 unchanged \(revision \w+\.1\)\n$/);
      expect(await names()).toEqual(['vm-1', 'vm-2']);
    },
  );

  shortOnly(it)('reads standard input in the given format', async () => {
    await fill(record('vm-1'));
    expect(await names()).toEqual(['vm-1']);
    const { code, stderr } = await run(['import', '-'], { input: record('vm-2') });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'roster: cannot tell the format of (stdin); pass --format ndjson|json|csv|yaml\n',
    });
  });

  shortOnly(it)('reports every error with its line, and writes nothing', async () => {
    await fill(record('vm-1'));
    const bad = file(
      'bad.csv',
      'resource_id,name,resource_type,state\nvm-2,vm-2,gpu,\n"vm,3",vm-3,resource_type.compute.vm,sad\n',
    );
    const { code, stdout, stderr } = await run(['import', bad]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const lines = stderr.split('\n');
    expect(lines[0]).toMatch(/bad\.csv:2:\d+ resource_type: must have the form/);
    expect(lines[1]).toMatch(/bad\.csv:3:\d+ resource_id: must not contain a comma/);
    expect(lines.at(-2)).toBe(`roster: nothing was written: 3 errors in ${bad}`);
    expect(await names()).toEqual(['vm-1']);
  });

  longOnly(it)('shows the first hundred errors and the true number', async () => {
    await fill(record('vm-1'));
    for (const [name, body, errors] of [
      ['bad.ndjson', '{}\n'.repeat(50_000), '150 000 errors'],
      ['bad.yaml', '- {}\n'.repeat(9_000), '27 000 errors'],
      ['bad.yaml', '- {}\n'.repeat(20_000), 'at least 30 000 errors'],
    ] as const) {
      const bad = file(name, body);
      const lines = (await run(['import', bad])).stderr.split('\n').slice(0, -1);
      expect(lines).toHaveLength(101);
      expect(lines.at(-1)).toBe(`roster: nothing was written: ${errors} in ${bad}; the first 100 are shown`);
    }
  });

  shortOnly(it)('replaces, with a guard against removing most of a station', async () => {
    await fill(Array.from({ length: 30 }, (_, at) => record(`vm-${at}`)).join(''));
    const rest = file('rest.ndjson', record('vm-1'));
    const refused = await run(['import', rest, '--mode', 'replace']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toBe(
      'roster: nothing was written: this would remove 29 of 30 resources, more than half of them; to allow it, ' +
        'pass --allow-removal 29 or --allow-removal all; roster diff shows what would be removed\n',
    );
    const planned = await run(['import', rest, '--mode', 'replace', '--dry-run']);
    expect([planned.code, planned.stderr]).toEqual([
      1,
      expect.stringMatching(/^roster: the import would be refused: /),
    ]);
    expect(await names()).toHaveLength(30);
    const { code, stdout } = await run(['import', rest, '--mode', 'replace', '--allow-removal', '29']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^0 created, 0 updated, 29 removed, 1 unchanged/);
    expect(await names()).toEqual(['vm-1']);
  });

  shortOnly(it)('names the file of which no record can be read', async () => {
    await run(['station', 'create']);
    for (const [name, content, message] of [
      ['empty.ndjson', '', /empty\.ndjson is empty\n$/],
      ['zipped.csv', gzipSync('a,b'), /zipped\.csv must be text; it is compressed: add \.gz to its name, or/],
      ['broken.json.gz', Buffer.from('no gzip'), /broken\.json\.gz /],
    ] as const) {
      const { code, stderr } = await run(['import', file(name, content)]);
      expect([name, code, stderr]).toEqual([
        name,
        1,
        expect.stringMatching(/^roster: nothing was written: /),
      ]);
      expect(stderr).toMatch(message);
    }
  });

  shortOnly(it)('does nothing in a dry run, and nothing at another revision', async () => {
    await fill(record('vm-1'));
    const more = file('more.ndjson', record('vm-2'));
    const plan = JSON.parse((await run(['import', more, '--dry-run', '-o', 'json'])).stdout);
    expect(plan).toMatchObject({ dry_run: true, created: 1 });
    await run(['import', file('other.ndjson', record('vm-3'))]);
    const late = await run(['import', more, '--if-revision', plan.revision]);
    expect(late.code).toBe(1);
    const now = (await run(['import', more, '--dry-run', '-o', 'json'])).stdout;
    const { revision } = JSON.parse(now);
    expect(late.stderr).toBe(
      `roster: nothing was written: the station is at revision ${revision}, not at ${plan.revision}; ` +
        `run roster diff to see what would change now, then pass --if-revision ${revision}\n`,
    );
    const kept = await run([
      'station',
      'delete',
      fixture.environment.ROSTER_STATION!,
      '--yes',
      '--if-revision',
      plan.revision,
    ]);
    expect(kept.stderr).toMatch(
      /, not at \w+\.1; check the station again, then pass --if-revision \w+\.2\n$/,
    );
    expect(await names()).toEqual(['vm-1', 'vm-3']);
  });

  shortOnly(it)('names a missing station or file', async () => {
    const missing = await run(['import', '/nowhere/a.csv']);
    expect(missing).toEqual({
      code: 1,
      stdout: '',
      stderr: 'roster: cannot read /nowhere/a.csv: no such file or directory\n',
    });
    const { code, stderr } = await run(['import', file('a.ndjson', record('vm-1'))]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^roster: there is no station .*; see roster stations, or add --create\n$/);
    const tried = await run(['import', file('a.ndjson', record('vm-1')), '--create', '--dry-run']);
    expect(tried.stderr).toMatch(/; see roster stations; a dry run creates none\n$/);
    expect((await run(['diff', file('a.ndjson', record('vm-1'))])).stderr).toMatch(
      /; see roster stations\n$/,
    );
    const directory = temporaryDirectory();
    for (const command of ['import', 'diff']) {
      expect(await run([command, directory])).toEqual({
        code: 1,
        stdout: '',
        stderr: `roster: cannot read ${directory}: it is a directory\n`,
      });
    }
  });

  shortOnly(it)('takes --allow-removal for a replace alone', async () => {
    for (const mode of [[], ['--mode', 'merge'], ['--mode', 'patch']]) {
      const words = [
        'import',
        file('a.ndjson', record('vm-1')),
        '--create',
        '--allow-removal',
        'all',
        ...mode,
      ];
      expect(await run(words)).toEqual({
        code: 2,
        stdout: '',
        stderr: 'roster: --allow-removal needs --mode replace\n',
      });
    }
    expect((await run(['list'])).code).toBe(3);
  });

  shortOnly(it)('deletes the station again that it created for nothing', async () => {
    const bad = file('bad.ndjson', record('vm-1', { sku: 7 }));
    const refused = await run(['import', bad, '--create']);
    expect({ ...refused, stderr: refused.stderr.split('\n').at(-2) }).toEqual({
      code: 1,
      stdout: '',
      stderr: `roster: nothing was written: 1 error in ${bad}`,
    });
    expect((await run(['list'])).code).toBe(3);
    await run(['station', 'create']);
    expect((await run(['import', bad, '--create'])).code).toBe(1);
    expect(await names()).toEqual([]);
    const patches = file('states.ndjson', '{"resource_id":"vm-1","state":"ALERTSTATE_FIRING"}\n');
    expect(await run(['import', patches, '--create', '--mode', 'patch'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'roster: --create cannot be combined with --mode patch, which only changes existing resources\n',
    });
  });

  shortOnly(it)('keeps a station that it created and others have written into', async () => {
    const words = ['import', '-', '--format', 'ndjson', '--create'];
    const child = spawn(process.execPath, [executable, ...words], {
      env: { ...cleanEnvironment(), ...fixture.environment },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await expect.poll(async () => (await run(['list'])).code, { timeout: 20_000 }).toBe(0);
    await fill(record('vm-1'));
    child.stdin!.end('{}\n');
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(1);
    expect(await names()).toEqual(['vm-1']);
  });

  shortOnly(it)('says which station may be left empty', async () => {
    const server = await startLocalServer((_, response, { method }) => {
      const isCreation = method === 'PUT';
      sendJson(
        response,
        isCreation ? { station: 'a/b/c/d/e/f/g/h', revision: 'x.0' } : {},
        isCreation ? 201 : 403,
      );
    });
    const words = ['import', 'b/d/f/h', file('a.ndjson', record('vm-1')), '--create', '--server', server.url];
    expect((await run(words)).stderr.split('\n')[0]).toBe(
      'roster: b/d/f/h is new and may have been left empty; roster station delete b/d/f/h deletes it',
    );
    expect(server.requests.map((request) => request.split(' ')[0])).toEqual(['PUT', 'POST', 'DELETE']);
  });

  shortOnly(it)('says that the new station is left when it is interrupted', async () => {
    const server = await startLocalServer((_, response, { method }) => {
      if (method === 'PUT') sendJson(response, { station: 'a/b/c/d/e/f/g/h', revision: 'x.0' }, 201);
      else child.kill('SIGINT');
    });
    const words = ['import', 'b/d/f/h', file('a.ndjson', record('vm-1')), '--create', '--server', server.url];
    const child = spawn(process.execPath, [executable, ...words], { env: cleanEnvironment() });
    expect(await text(child.stderr)).toBe(
      'roster: b/d/f/h is new and may have been left empty; roster station delete b/d/f/h deletes it\n',
    );
  });
});

shortOnly(describe)('roster diff', () => {
  it('shows what would change, exits with 1 and changes nothing', async () => {
    await fill(record('vm-1', { sku: '1 core' }) + record('vm-2'));
    const next = file('next.ndjson', record('vm-1', { sku: '2 cores' }) + record('vm-3'));
    const { code, stdout, stderr } = await run(['diff', next, '--mode', 'replace']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      '~ vm-1  vm-1  resource_type.compute.vm',
      '    sku  1 core → 2 cores',
      '+ vm-3  vm-3  resource_type.compute.vm',
      '- vm-2  vm-2  resource_type.compute.vm',
      '',
      '1 to create, 1 to update, 1 to remove, 0 unchanged',
      '',
    ]);
    expect(await names()).toEqual(['vm-1', 'vm-2']);
  });

  it('exits with 0 when nothing is different', async () => {
    await fill(record('vm-1'));
    const { code, stdout } = await run(['diff', file('same.ndjson', record('vm-1'))]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: '0 to create, 0 to update, 0 to remove, 1 unchanged\n',
    });
  });

  it('takes the station as an argument, colours, and counts the changes not shown', async () => {
    await fill(record('vm-1'));
    const next = file('next.ndjson', record('vm-2') + record('vm-3'));
    const words = [
      'diff',
      fixture.environment.ROSTER_STATION!,
      next,
      '--limit',
      '1',
      '--server',
      fixture.environment.ROSTER_SERVER!,
    ];
    const { stdout } = await runRoster(words, { environment: { FORCE_COLOR: '1' } });
    expect(stdout).toContain('\x1b[32m+ vm-2  vm-2  resource_type.compute.vm\x1b[0m\n');
    expect(stdout).toContain('… and 1 more; --limit shows them');
  });

  it('says when an import would be refused', async () => {
    await fill(Array.from({ length: 30 }, (_, at) => record(`vm-${at}`)).join(''));
    const { code, stderr } = await run(['diff', file('rest.ndjson', record('vm-1')), '--mode', 'replace']);
    expect(code).toBe(1);
    expect(stderr).toBe(
      'roster: the import would be refused: this would remove 29 of 30 resources, more than half of them; ' +
        'to allow it, pass --allow-removal 29 or --allow-removal all\n',
    );
  });
});
