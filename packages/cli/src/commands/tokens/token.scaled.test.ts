import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longOnly, shortOnly } from '../../../../../testing/scale.ts';
import { printed, runRoster } from '../../testing/run-roster.ts';
import { type RunningRoster, startRoster } from '../../testing/start-roster.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'roster-cli-'));
let roster: RunningRoster;
let environment: Record<string, string>;

beforeAll(async () => {
  const admin = await printed(['token', 'generate']);
  const file = path.join(directory, 'token');
  writeFileSync(file, admin);
  roster = await startRoster({ ROSTER_AUTH: 'on', ROSTER_BOOTSTRAP_TOKEN_FILE: file });
  environment = {
    ROSTER_SERVER: roster.url,
    ROSTER_TOKEN: admin.trim(),
    ROSTER_STATION: 'demo/sample/zone-1/station-1',
  };
});
afterAll(async () => {
  await roster.stop();
  rmSync(directory, { recursive: true });
});

const run = (words: string[], token?: string) =>
  runRoster(words, {
    environment: token === undefined ? environment : { ...environment, ROSTER_TOKEN: token },
  });
const create = async (...words: string[]) =>
  JSON.parse((await run(['token', 'create', ...words, '-o', 'json'])).stdout) as {
    id: string;
    token: string;
  };

describe('roster token', () => {
  shortOnly(it)('creates a token, and prints it alone on stdout', async () => {
    const { code, stdout, stderr } = await run([
      'token',
      'create',
      'dashboard',
      '--role',
      'reader',
      '--scope',
      'demo/**',
    ]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^roster_[0-9A-Za-z]{49}\n$/)]);
    expect(stderr).toMatch(
      /^created: tok_\w{12}, a reader token that expires on \d{4}-\d\d-\d\d \d\d:\d\d; it is not shown again\n$/,
    );
    expect((await run(['list', '--count'], stdout.trim())).stdout).toBe('1204\n');
  });

  shortOnly(it)('says which role the token has', async () => {
    const { stderr } = await run(['token', 'create', 'team', '--role', 'admin', '--scope', 'demo/**']);
    expect(stderr).toMatch(/^created: tok_\w{12}, an admin token that expires on /);
  });

  shortOnly(it)('takes several scopes and a life', async () => {
    const scopes = ['--scope', 'demo/**', '--scope', 'lab/g/z/*'];
    const never = await create('nightly', '--role', 'writer', ...scopes, '--expires', 'never');
    expect(never).toMatchObject({
      name: 'nightly',
      role: 'writer',
      scopes: ['subscriptions/demo/**', 'subscriptions/lab/resourceGroups/g/zones/z/telemetryStations/*'],
      expires_at: null,
      created_by: expect.stringMatching(/^first \(tok_\w{12}\)$/),
    });
  });

  shortOnly(it)('lists tokens without the tokens themselves', async () => {
    const { token, id } = await create('listed', '--role', 'reader', '--scope', 'demo/**');
    const table = (await run(['token', 'list'])).stdout;
    expect(table).toMatch(/^ID +NAME +ROLE +SCOPES +EXPIRES \(UTC\) +LAST USED \(UTC\)$/m);
    expect(table).toMatch(new RegExp(`^${id} +listed +reader +subscriptions/demo/\\*\\* .* never$`, 'm'));
    expect(table).not.toContain(token);
    expect((await run(['token', 'list', '-o', 'name'])).stdout.split('\n')).toContain(id);
  });

  shortOnly(it)('revokes by id', async () => {
    const { token, id } = await create('short', '--role', 'reader', '--scope', 'demo/**');
    expect((await run(['token', 'revoke', id])).stderr).toBe(`revoked: ${id}\n`);
    expect((await run(['list', '--count'], token)).code).toBe(4);
    const again = await run(['token', 'revoke', id]);
    expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('see roster token list')]);
  });

  longOnly(it)('names what a revoked token made, or revokes it too', async () => {
    const maker = await create('maker', '--role', 'admin', '--scope', 'demo/**');
    const words = ['token', 'create', 'made', '--role', 'reader', '--scope', 'demo/**'];
    const idOf = (stderr: string) => /tok_\w{12}/.exec(stderr)![0];
    const first = idOf((await run(words, maker.token)).stderr);
    expect((await run(['token', 'revoke', maker.id])).stderr).toBe(
      `revoked: ${maker.id}\nstill valid, created with it: ${first}; roster token revoke ID revokes one of them\n`,
    );
    const other = await create('other', '--role', 'admin', '--scope', 'demo/**');
    const second = idOf((await run(words, other.token)).stderr);
    const { stderr } = await run(['token', 'revoke', other.id, '--cascade']);
    expect(stderr).toMatch(/^revoked: tok_\w{12}, tok_\w{12}\n$/);
    expect(stderr).toContain(second);
  });

  longOnly(it)('keeps the last admin token for all stations without --force', async () => {
    const tokens = async () =>
      JSON.parse((await run(['token', 'list', '-o', 'json'])).stdout) as { id: string; role: string }[];
    await create('narrow admin', '--role', 'admin', '--scope', 'demo/**');
    const { id: last } = (await tokens()).find(({ role }) => role === 'admin')!;
    const refused = await run(['token', 'revoke', last]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      `roster: ${last} is the last admin token for all stations; create another first, or pass --force: then only ` +
        'roster token recover restores access\n',
    ]);
    const { id } = await create('second', '--role', 'admin', '--scope', '**');
    const both = await run(['token', 'revoke', last, '--cascade']);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('are the last admin tokens')]);
    expect((await run(['token', 'revoke', id])).code).toBe(0);
    expect((await tokens()).map((token) => token.id)).toContain(last);
  });

  longOnly(it)('explains missing and invalid flags', async () => {
    for (const [words, message] of [
      [['create', 'x', '--scope', '**'], '--role is missing: pass one of'],
      [['create', 'x', '--role', 'reader'], '--scope is missing: pass a scope'],
      [['create', 'x', '--role', 'owner', '--scope', '**'], '--role'],
      [
        ['create', 'x', '--role', 'reader', '--scope', '**', '--expires', 'soon'],
        '--expires must be a duration such as 90d, 12h or 30m, or a future date or time, at most 3650d away, or never',
      ],
      ...['0d', '-1d', '9999d'].map(
        (life) =>
          [
            ['create', 'x', '--role', 'reader', '--scope', '**', '--expires', life],
            `at most 3650d away, or never, got "${life}"`,
          ] as const,
      ),
      [['create', 'x', '--role', 'reader', '--scope', 'acme'], '--scope: the scope "acme" must name'],
      [
        ['create', `roster_${'a'.repeat(49)}`, '--role', 'reader', '--scope', '**'],
        'this is the secret token itself',
      ],
      [['revoke', `roster_${'a'.repeat(49)}`], 'this is the secret token itself'],
    ] as const) {
      const { code, stderr } = await run(['token', ...words]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
      expect(stderr).not.toContain('roster_aaaa');
    }
  });
});

shortOnly(describe)('without the right token', () => {
  it('says what to do, and exits with 4', async () => {
    const none = await runRoster(['list'], { environment: { ...environment, ROSTER_TOKEN: '' } });
    expect(none.code).toBe(4);
    expect(none.stderr).toContain('authentication required');
    expect(none.stderr).toContain('pass --token, set ROSTER_TOKEN, or save a token with roster context set');
    const cut = await run(['list'], environment.ROSTER_TOKEN!.slice(0, -1));
    expect([cut.code, cut.stderr]).toEqual([4, expect.stringContaining('mistyped or cut off')]);
    expect(cut.stderr).not.toContain(environment.ROSTER_TOKEN!.slice(0, -1));
  });

  it('says which role or scope is missing', async () => {
    const { token } = await create('narrow', '--role', 'reader', '--scope', 'lab/**');
    const scope = await run(['summary'], token);
    expect([scope.code, scope.stderr]).toEqual([
      4,
      expect.stringContaining('this station is in no scope of this token (narrow)'),
    ]);
    const role = await run(['station', 'create', 'lab/g/z/t'], token);
    expect([role.code, role.stderr]).toEqual([4, expect.stringContaining('this needs the role admin')]);
    expect(role.stderr).toContain('ask an administrator for a token with more rights');
  });
});

describe('roster token recover', () => {
  shortOnly(it)('makes no inventory where there is none', async () => {
    const nowhere = path.join(directory, 'nowhere');
    const { code, stdout, stderr } = await runRoster(['token', 'recover', '--data', nowhere]);
    expect([code, stdout, existsSync(nowhere)]).toEqual([1, '', false]);
    expect(stderr).toContain(`there is no inventory in ${nowhere}`);
  });

  longOnly(it)('restores access for a day to anyone with the data', async () => {
    const data = path.join(directory, 'lost');
    await (await startRoster({ ROSTER_AUTH: 'on' }, data)).stop();
    const { code, stdout, stderr } = await runRoster(['token', 'recover', '--data', data]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^roster_[0-9A-Za-z]{49}\n$/)]);
    expect(stderr).toMatch(
      /^created: tok_\w{12} in .+, an admin token valid for one day; it is not shown again\n$/,
    );
    const again = await startRoster({ ROSTER_AUTH: 'on' }, data);
    const refused = await runRoster(['token', 'recover', '--data', data]);
    const tokens = JSON.parse(
      await printed(['token', 'list', '-o', 'json'], {
        environment: { ROSTER_SERVER: again.url, ROSTER_TOKEN: stdout.trim() },
      }),
    );
    await again.stop();
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('in use') });
    expect(tokens).toMatchObject([
      { name: 'first' },
      { name: 'recovered', role: 'admin', scopes: ['**'], created_by: 'roster token recover' },
    ]);
  });
});

shortOnly(describe)('where authentication is off', () => {
  it('explains why no token can be created', async () => {
    const open = await startRoster({ ROSTER_AUTH: 'off' });
    try {
      const { code, stderr } = await runRoster(['token', 'create', 'x', '--role', 'admin', '--scope', '**'], {
        environment: { ROSTER_SERVER: open.url },
      });
      expect([code, stderr]).toEqual([1, expect.stringContaining('start the server with ROSTER_AUTH=on')]);
    } finally {
      await open.stop();
    }
  });
});
