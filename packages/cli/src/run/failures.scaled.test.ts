import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { resource } from '../../../../testing/resource.ts';
import { scale, shortOnly } from '../../../../testing/scale.ts';
import { type Answer, sendJson, startLocalServer } from '../testing/local-server.ts';
import { cleanEnvironment, executable, runRoster } from '../testing/run-roster.ts';
import { type RunningRoster, startRoster } from '../testing/start-roster.ts';

const station = 'demo/sample/zone-1/station-1';

async function listFrom(answer: Answer, ...words: string[]) {
  const server = await startLocalServer(answer);
  return { ...(await runRoster(['list', station, '--server', server.url, ...words])), url: server.url };
}

const sendText =
  (contentType: string, text: string): Answer =>
  (_, response) => {
    response.writeHead(200, { 'Content-Type': contentType }).end(text);
  };

describe('a server that misbehaves', () => {
  const wrongAnswers: [string, number, string, Answer][] = [
    ['sends the page of a proxy', 1, 'text/html instead of JSON', sendText('text/html', '<h1>Sign in</h1>')],
    [
      'cuts off its JSON',
      1,
      'invalid or truncated JSON',
      sendText('application/json', '{"resources":[{"reso'),
    ],
    ['sends another content type', 1, 'application/xml instead of JSON', sendText('application/xml', '<x/>')],
    [
      'sends JSON of something else',
      1,
      'without a list of resources',
      sendText('application/json', '{"items":[]}'),
    ],
    [
      'wants a token',
      4,
      'pass --token, set ROSTER_TOKEN',
      (_, response) => sendJson(response, { detail: 'no token' }, 401),
    ],
    [
      'does not allow it',
      4,
      'not yours; ask an administrator',
      (_, response) => sendJson(response, { detail: 'not yours' }, 403),
    ],
    [
      'has no such station',
      3,
      'check the station and --server',
      (_, response) => sendJson(response, {}, 404),
    ],
    ['fails', 1, 'answered 500: oops', (_, response) => sendJson(response, { message: 'oops' }, 500)],
    [
      'sends us elsewhere',
      1,
      'answered 302',
      (_, response) => response.writeHead(302, { Location: '/x' }).end(),
    ],
    [
      'cannot answer now',
      5,
      'store away; try again',
      (_, response) => sendJson(response, { code: 'store_unavailable', detail: 'store away' }, 503),
    ],
    [
      'is behind a proxy that does not reach it',
      5,
      'answered 502',
      (_, response) => sendJson(response, {}, 502),
    ],
    ['hangs up', 5, 'cannot reach http://127.0.0.1', (_, response) => response.destroy()],
  ];

  it.each(scale(wrongAnswers.slice(-6), wrongAnswers.slice(0, -6)))(
    'that %s is explained in one line, with exit code %d',
    async (_, exitCode, message, answer) => {
      const { code, stdout, stderr } = await listFrom(answer);
      expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
      expect(stderr).toContain(message);
      expect(stderr).toMatch(/^roster: [^\n]+\n$/);
    },
  );

  shortOnly(it)('is explained when nothing listens, and on a timeout', async () => {
    const server = await startLocalServer(() => {});
    const slow = await runRoster(['list', station, '--server', server.url, '--timeout', '1']);
    expect(slow.code).toBe(5);
    expect(slow.stderr).toMatch(/within 1000 ms; --timeout allows more time\n$/);
    const nobody = await runRoster(['list', station, '--server', 'http://127.0.0.1:1']);
    expect(nobody.code).toBe(5);
    expect(nobody.stderr).toMatch(/^roster: cannot reach http:\/\/127\.0\.0\.1:1: connect ECONNREFUSED/);
  });

  shortOnly(it)('names a parameter as the flag that sets it', async () => {
    const parameter = 'resource_display_name_prefix';
    const { code, stderr } = await listFrom(
      (_, response) =>
        sendJson(response, { code: 'invalid_parameter', detail: `${parameter} is too odd`, parameter }, 400),
      ...['--prefix', 'x'],
    );
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'roster: --prefix is too odd\n' });
  });

  shortOnly(it)('cannot send escape sequences to a terminal, in names or in errors', async () => {
    const hostile = '\x1b]0;pwned\x07\x9b2J';
    const table = await listFrom((_, response) =>
      sendJson(response, { resources: [resource('a', { display_name: hostile })], page: null }),
    );
    expect(table.stdout).toContain('\\x1b]0;pwned\\x07\\x9b2J');
    const error = await listFrom((_, response) => sendJson(response, { code: 'x', detail: hostile }, 400));
    expect(error.stderr).toBe('roster: \\x1b]0;pwned\\x07\\x9b2J\n');
  });

  shortOnly(it)('is read where the document is ambiguous', async () => {
    const { stdout, code } = await listFrom((url, response) => {
      const isFirst = url.searchParams.get('page.offset') === '0';
      const resources = [resource('a', { alert_rules_count: '7', state: 'ALERTSTATE_NEW', sku: null })];
      sendJson(response, { resources: isFirst ? resources : [], page: null });
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^display a +NEW +7 +Virtual machine +a$/m);
  });

  shortOnly(it)('without a total, or with short pages, is read up to the limit', async () => {
    const all = Array.from({ length: 10 }, (_, at) => resource(`r${at}`));
    for (const page of [null, { offset: 0, size: 0, total: 10 }]) {
      const maxSize = page === null ? 10 : 3;
      const { stdout } = await listFrom(
        (url, response) => {
          const [offset, size] = ['page.offset', 'page.size'].map((name) =>
            Number(url.searchParams.get(name)),
          );
          const resources = all.slice(offset, offset! + Math.min(size!, maxSize));
          sendJson(response, { resources, page });
        },
        ...['--limit', '7', '--page-size', '4', '-o', 'name'],
      );
      expect(stdout).toBe('r0\nr1\nr2\nr3\nr4\nr5\nr6\n');
    }
  });

  shortOnly(it)('that repeats itself is noticed beside the data', async () => {
    const { stdout, stderr, code } = await listFrom(
      (url, response) => {
        const offset = Number(url.searchParams.get('page.offset'));
        const ids = [['a', 'b'], ['b', 'c'], []][offset / 2]!;
        sendJson(response, { resources: ids.map((id) => resource(id)), page: { offset, size: 2, total: 4 } });
      },
      '-o',
      'name',
      '--page-size',
      '2',
    );
    expect({ stdout, code }).toEqual({ stdout: 'a\nb\nc\n', code: 0 });
    expect(stderr).toContain('roster: 1 resources at offset 2 are duplicates and were skipped: b\n');
  });
});

shortOnly(describe)('a failure', () => {
  let roster: RunningRoster;
  beforeAll(async () => {
    roster = await startRoster();
  });
  afterAll(() => roster.stop());

  it('shows its request id and cause with --verbose alone', async () => {
    const words = ['list', 'demo/sample/zone-1/nowhere', '--server', roster.url];
    const brief = await runRoster(words);
    expect(brief.code).toBe(3);
    expect(brief.stderr.split('\n')).toHaveLength(2);
    expect(brief.stderr).toContain('/telemetryStations/nowhere"');
    const { stderr } = await runRoster([...words, '--verbose']);
    expect(stderr).toMatch(/^ {2}code: station_not_found\n {2}request: [0-9a-f-]{36}$/m);
  });

  it.each([
    [
      ['list', station, '--page-size', '5000'],
      '--page-size must be a whole number between 0 and 1000, got "5000"',
    ],
    [['list', station, '--limit', '-1'], '--limit must be a whole number of at least 0, got "-1"'],
    [
      ['changes', station, '--since', 'xyz'],
      '--since must be a revision such as k3v9x0a1bc.42, got "xyz"; --after takes a time',
    ],
    [
      ['station', 'delete', station, '--yes', '--if-revision', 'x'],
      '--if-revision must be a revision such as k3v9x0a1bc.42, got "x"',
    ],
    [
      ['diff', station, '/dev/null', '--format', 'csv', '--allow-removal', '-5'],
      '--allow-removal must be a whole number of at least 0, or all, got "-5"',
    ],
    [
      ['diff', station, '/dev/null', '--format', 'csv', '--limit', '99999'],
      '--limit must be a whole number between 0 and 10000, got "99999"',
    ],
  ])('of a value names the flag, with exit code 2: %j', async (words, message) => {
    expect(await runRoster([...words, '--server', roster.url])).toEqual({
      code: 2,
      stdout: '',
      stderr: `roster: ${message}\n`,
    });
  });

  it('suggests https:// for an HTTPS server', async () => {
    // Without a certificate it refuses what is not TLS all the same.
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { code, stderr } = await runRoster(['list', station, '--server', `http://127.0.0.1:${port}`]);
    expect(code).toBe(5);
    expect(stderr).toMatch(
      /^roster: cannot reach .*; if the server uses HTTPS, its URL must start with https:\/\/\n$/,
    );
  });

  it('suggests http:// for a server without TLS', async () => {
    const { port } = new URL(roster.url);
    const { code, stderr } = await runRoster(['list', station, '--server', `https://127.0.0.1:${port}`]);
    expect([code, stderr]).toEqual([
      5,
      `roster: cannot reach https://127.0.0.1:${port}: the server does not use TLS; its URL must start with http://\n`,
    ]);
  });

  it('never shows the token', async () => {
    const server = await startLocalServer((_, response, request) =>
      sendJson(response, { code: 'x', detail: `bad ${request.headers.authorization}` }, 401),
    );
    const { stderr } = await runRoster(['list', station, '--server', server.url, '--verbose'], {
      environment: { ROSTER_TOKEN: 'very-secret-token' },
    });
    expect(stderr).not.toContain('very-secret-token');
  });

  it('is none when the reader of the output has enough', async () => {
    const command = `"${process.execPath}" "${executable}" list ${station} --server ${roster.url} -o ndjson | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await bash(command);
    expect(stdout.split('\n')[1]).toBe('0');
    expect(stderr).toBe('');
  });

  it('does not change because nobody reads the messages', async () => {
    const program = `"${process.execPath}" "${executable}"`;
    const closed = '2> >(exec true); code=$?; echo "$code"';
    const bad = `printf '{}\\n%.0s' {1..2000} | (sleep 0.2; ${program} import ${station} - --format ndjson --server ${roster.url}) ${closed}`;
    expect(await bash(bad)).toEqual({ stdout: '1\n', stderr: '' });
    const fine = `(sleep 0.2; ${program} probe ${roster.url} ${station} --pause 0 -o name) ${closed}`;
    expect((await bash(fine)).stdout).toMatch(/\n0\n$/);
  });

  it.runIf(existsSync('/dev/full'))('of the output itself is reported as well', async () => {
    const command = `"${process.execPath}" "${executable}" list ${station} --server ${roster.url} > /dev/full; echo "$?"`;
    const { stdout, stderr } = await bash(command);
    expect(stdout).toBe('1\n');
    expect(stderr).toMatch(/^roster: cannot write the output: ENOSPC/);
  });

  it('by an interrupt is exit code 130', async () => {
    const server = await startLocalServer(() => child.kill('SIGINT'));
    const child = spawn(process.execPath, [executable, 'list', station, '--server', server.url], {
      env: cleanEnvironment(),
    });
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(130);
  });
});

shortOnly(describe)('roster serve', () => {
  it('ends in order when it is interrupted', async () => {
    const roster = await startRoster({ ROSTER_STATION: station, ROSTER_SERVER: 'http://127.0.0.1:1' });
    expect((await fetch(`${roster.url}/readyz`)).status).toBe(200);
    expect(await roster.stop('SIGINT')).toBe(0);
  });

  it('refuses invalid settings', async () => {
    const { code, stderr } = await runRoster(['serve', '--port', '99999']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'roster: --port must be a port from 0 to 65535 (0 picks a free one), got "99999"\n',
    });
  });
});

async function bash(command: string): Promise<{ stdout: string; stderr: string }> {
  const child = spawn('bash', ['-c', command], { env: cleanEnvironment() });
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => {
    texts.stdout += text;
  });
  child.stderr.on('data', (text) => {
    texts.stderr += text;
  });
  await new Promise((resolve) => child.once('close', resolve));
  return texts;
}
