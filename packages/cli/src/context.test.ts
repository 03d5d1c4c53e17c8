import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { configFile } from './config.ts';
import { resource, sendJson, startLocalServer } from './testing/local-server.ts';
import { runRoster, temporaryDirectory } from './testing/run-roster.ts';

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
    [['context', 'use', 'lbb'], 2, 'roster: there is no context "lbb"; did you mean lab?\n'],
    [
      ['list', '--context', 'zzzzzz'],
      2,
      'roster: there is no context "zzzzzz"; roster context list shows all\n',
    ],
    [['context', 'set', 'new'], 2, 'roster: where is the server of "new"? Give --server URL\n'],
    [
      ['context', 'set', 'new', '--server', 'x y'],
      2,
      'roster: --server must be a URL such as https://roster.example.com\n',
    ],
  ])('refuse %j', async (words, code, stderr) => {
    await run(['context', 'set', 'lab', '--server', 'http://127.0.0.1:1']);
    expect(await run(words)).toEqual({ code, stdout: '', stderr });
  });

  it('say so when their file is broken', async () => {
    await run(['context', 'set', 'lab', '--server', 'http://127.0.0.1:1']);
    const file = path.join(home, 'roster', 'config.json');
    writeFileSync(file, '{"contexts":');
    const { code, stderr } = await run(['list', 'a/b/c/d']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `roster: ${file} is not a configuration of roster; correct or delete it\n`,
    });
  });

  it('live where each platform keeps such files', () => {
    expect(configFile({ HOME: '/h' }, 'linux')).toBe('/h/.config/roster/config.json');
    expect(configFile({ HOME: '/h', XDG_CONFIG_HOME: '/x' }, 'linux')).toBe('/x/roster/config.json');
    expect(configFile({ HOME: '/h' }, 'darwin')).toBe('/h/Library/Application Support/roster/config.json');
    expect(configFile({ HOME: '/h', APPDATA: '/a' }, 'win32')).toBe('/a/roster/config.json');
  });
});
