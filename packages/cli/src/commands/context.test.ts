import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { resource } from '../../../../testing/resource.ts';
import { configFile } from '../connection/context-file.ts';
import { sendJson, startLocalServer } from '../testing/local-server.ts';
import { runRoster, temporaryDirectory } from '../testing/run-roster.ts';

let home: string;
const run = (words: string[], more: Record<string, string> = {}, input = '') =>
  runRoster(words, { environment: { XDG_CONFIG_HOME: home, ...more }, input });

/** A server that tells which station and token it was asked with. */
const startEcho = () =>
  startLocalServer((url, response, { headers }) => {
    const station = url.pathname.split('/').at(-2);
    sendJson(response, {
      resources: [resource(`${station}|${headers.authorization ?? 'none'}`)],
      page: null,
    });
  });

const asked = async (words: string[] = [], environment: Record<string, string> = {}) => {
  const { stdout, stderr } = await run(['list', '--limit', '1', '-o', 'name', ...words], environment);
  return stdout.trim() || stderr;
};

beforeEach(() => {
  home = temporaryDirectory();
});

describe('contexts', () => {
  it('keep server, station and token for later commands', async () => {
    const { url } = await startEcho();
    const words = ['context', 'set', 'lab', '--server', url, '--station', 'a/b/c/lab', '--token', '-'];
    expect((await run(words, {}, 'from-stdin\n')).code).toBe(0);
    expect(await asked()).toBe('lab|Bearer from-stdin');
    expect(await asked(['a/b/c/other'])).toBe('other|Bearer from-stdin');
    expect(await asked([], { ROSTER_STATION: 'a/b/c/variable', ROSTER_TOKEN: 'variable' })).toBe(
      'variable|Bearer variable',
    );
  });

  it('are chosen by use, by flag and by variable', async () => {
    const { url } = await startEcho();
    for (const name of ['one', 'two']) {
      await run(['context', 'set', name, '--server', url, '--station', `a/b/c/${name}`]);
    }
    expect(await asked()).toBe('one|none');
    expect((await run(['context', 'use', 'two'])).code).toBe(0);
    expect(await asked()).toBe('two|none');
    expect(await asked(['--context', 'one'])).toBe('one|none');
    expect(await asked([], { ROSTER_CONTEXT: 'one' })).toBe('one|none');
    expect(await asked(['--context', 'one'], { ROSTER_SERVER: 'http://127.0.0.1:1' })).toBe('one|none');
  });

  it('give their token to their own server only', async () => {
    const [one, other] = [await startEcho(), await startEcho()];
    await run(['context', 'set', 'lab', '--server', one.url, '--token', 'secret-1', '--station', 'a/b/c/d']);
    expect(await asked(['--server', other.url])).toBe('d|none');
    expect(await asked([], { ROSTER_SERVER: other.url })).toBe('d|none');
    await run(['context', 'set', 'lab', '--server', other.url]);
    expect(await asked()).toBe('d|none');
  });

  it('are listed without their tokens, kept in a file for their owner, and deleted', async () => {
    await run(['context', 'set', 'lab', '--server', 'http://127.0.0.1:1', '--token', 'secret-1']);
    const { stdout } = await run(['context', 'list']);
    expect(stdout).toMatch(/^\* +lab +http:\/\/127\.0\.0\.1:1 +yes$/m);
    expect((await run(['context', 'list', '-o', 'json'])).stdout).not.toContain('secret-1');
    const file = path.join(home, 'roster', 'config.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain('secret-1');
    expect((await run(['context', 'delete', 'lab'])).code).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ contexts: {} });
  });

  it.each([
    [['context', 'use', 'lbb'], 2, 'roster: unknown context "lbb"; did you mean lab?\n'],
    [['list', '--context', 'zzzzzz'], 2, 'roster: unknown context "zzzzzz"; see roster context list\n'],
    [['context', 'set', 'new'], 2, 'roster: --server is missing: context "new" needs a server URL\n'],
    [
      ['context', 'set', 'new', '--server', 'x y'],
      2,
      'roster: --server must be a URL such as https://roster.example.com\n',
    ],
    [
      ['context', 'set', 'new', '--server', 'ftp://example.com'],
      2,
      'roster: --server must be a URL starting with http:// or https://, such as https://roster.example.com\n',
    ],
    [
      ['context', 'set', 'new', '--server', 'https://me:secret-1@example.com'],
      2,
      'roster: --server must not contain a user or password; pass the token with --token\n',
    ],
    [
      ['context', 'set', 'new', '--server', 'foo'],
      2,
      'roster: --server must be a URL such as https://roster.example.com, got "foo"; if this is the name of a host, pass http://foo\n',
    ],
    [
      ['context', 'set', 'lab', '--station', 'demo'],
      2,
      'roster: a station must be written as subscription/resourceGroup/zone/name or subscriptions/…/resourceGroups/…/zones/…/telemetryStations/…, got "demo"\n',
    ],
    [
      ['list', 'a/b/c/d', '--server', 'me:secret-1@example.com'],
      2,
      'roster: --server must be a URL starting with http:// or https://, such as https://roster.example.com\n',
    ],
    [
      ['list', 'a/b/c/d', '--server', 'http://me:secret-1@example.com'],
      2,
      'roster: --server must not contain a user or password; pass the token with --token\n',
    ],
    [
      ['list', '--token', '@/nowhere'],
      1,
      'roster: cannot read the token from /nowhere: no such file or directory\n',
    ],
    [
      ['import', '-', '--format', 'csv', '--token', '-'],
      2,
      'roster: standard input cannot hold both the token and other input\n',
    ],
  ])('refuse %j', async (words, code, stderr) => {
    await run(['context', 'set', 'lab', '--server', 'http://127.0.0.1:1']);
    expect(await run(words)).toEqual({ code, stdout: '', stderr });
  });

  it('keep their token when there is none to read', async () => {
    const { url } = await startEcho();
    await run(['context', 'set', 'lab', '--server', url, '--token', 'secret-1', '--station', 'a/b/c/d']);
    expect(await run(['context', 'set', 'lab', '--token', '-'], {}, ' \n')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'roster: --token: standard input is empty\n',
    });
    expect(await asked()).toBe('d|Bearer secret-1');
  });

  it('show no password that an older one may hold', async () => {
    await run(['context', 'set', 'lab', '--server', 'http://127.0.0.1:1']);
    const file = path.join(home, 'roster', 'config.json');
    writeFileSync(file, JSON.stringify({ contexts: { lab: { server: 'http://me:secret-1@127.0.0.1:1' } } }));
    for (const format of ['table', 'json', 'csv']) {
      const { stdout } = await run(['context', 'list', '-o', format]);
      expect(stdout).toContain('http://***@127.0.0.1:1');
    }
  });

  it('say so when their file is broken', async () => {
    await run(['context', 'set', 'lab', '--server', 'http://127.0.0.1:1']);
    const file = path.join(home, 'roster', 'config.json');
    writeFileSync(file, '{"contexts":');
    const { code, stderr } = await run(['list', 'a/b/c/d']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `roster: ${file} is not a valid roster configuration; fix or delete it\n`,
    });
  });

  it('are not needed: any command reads its token from a file or standard input', async () => {
    const { url } = await startEcho();
    const file = path.join(home, 'token');
    writeFileSync(file, 'from-file\n');
    const words = ['list', 'a/b/c/d', '--limit', '1', '-o', 'name', '--server', url, '--token'];
    expect((await run([...words, `@${file}`])).stdout).toBe('d|Bearer from-file\n');
    expect((await run([...words, '-'], {}, 'from-stdin\n')).stdout).toBe('d|Bearer from-stdin\n');
    expect((await run([...words, '-'])).code).toBe(2);
  });

  it('live where each platform keeps such files', () => {
    expect(configFile({ HOME: '/h' }, 'linux')).toBe('/h/.config/roster/config.json');
    expect(configFile({ HOME: '/h', XDG_CONFIG_HOME: '/x' }, 'linux')).toBe('/x/roster/config.json');
    expect(configFile({ HOME: '/h' }, 'darwin')).toBe('/h/Library/Application Support/roster/config.json');
    expect(configFile({ HOME: '/h', APPDATA: '/a' }, 'win32')).toBe('/a/roster/config.json');
  });
});
