import { type ChildProcess, spawn } from 'node:child_process';
import { createClient, type StationClient } from '@roster/client';
import { FaultProxy } from '@roster/store/fault-proxy';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { cleanEnvironment, executable, runRoster } from '../../testing/run-roster.ts';
import { type RunningRoster, startRoster } from '../../testing/start-roster.ts';

let roster: RunningRoster;
let station: StationClient;

beforeAll(async () => {
  roster = await startRoster();
  station = createClient({ baseUrl: roster.url }).station('demo/follow/zone-1/station-1');
  await station.manage.create();
  await put('a', {});
});
afterAll(() => roster.stop());

const put = (id: string, given: object) =>
  station.manage.write([
    { resource_type: 'resource_type.compute.vm', resource_id: id, name: `name-${id}`, ...given },
  ]);

/** The command while it runs. */
class Running {
  readonly #child: ChildProcess;
  #text = '';
  #messages = '';

  constructor(...words: string[]) {
    const environment = { ROSTER_SERVER: roster.url, ROSTER_STATION: 'demo/follow/zone-1/station-1' };
    this.#child = spawn(process.execPath, [executable, ...words], {
      env: { ...cleanEnvironment(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.#text += text;
    });
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#messages += text;
    });
    onTestFinished(() => void this.#child.kill('SIGKILL'));
  }

  async until(pattern: RegExp): Promise<string> {
    await expect.poll(() => this.#text, { timeout: 60_000, interval: 20 }).toMatch(pattern);
    return this.#text;
  }

  async untilTold(pattern: RegExp): Promise<void> {
    await expect.poll(() => this.#messages, { timeout: 60_000, interval: 20 }).toMatch(pattern);
  }

  /** The exit code after an interrupt. */
  async interrupt(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGINT');
    return ended;
  }
}

describe('roster changes --follow', () => {
  it('prints new changes until interrupted', async () => {
    const running = new Running('changes', '--follow', '--columns', 'change,resource_id,fields');
    await running.until(/^CHANGE +ID +FIELDS\ncreated +a\n$/);
    await put('a', { sku: '8 GPU' });
    await station.manage.write([
      { resource_type: 'resource_type.compute.vm', resource_id: 'gone', name: 'gone' },
    ]);
    await station.manage.remove('gone');
    await running.until(/updated +a .*\ncreated +gone\nremoved +gone\n$/);
    expect(await running.interrupt()).toBe(130);
  });

  it('begins at a time, and leaves out what is no change of the state', async () => {
    const words = ['changes', '--follow', '-o', 'csv', '--columns', 'change,resource_id'];
    const all = new Running(...words, '--after', '0s');
    const states = new Running(...words, '--after', '0s', '--state-changes');
    const earlier = new Running(...words, '--after', '1h', '--state-changes', '--resource', 'on');
    await Promise.all([all, states, earlier].map((each) => each.until(/^change,resource_id\r\n/)));
    await put('off', {});
    await put('on', { state: 'ALERTSTATE_FIRING' });
    await put('on', { state: 'ALERTSTATE_FIRING', sku: '8 GPU' });
    await put('on', { state: 'ALERTSTATE_INACTIVE' });
    await put('on', { state: 'ALERTSTATE_FIRING' });
    await station.manage.remove('on');
    await station.manage.remove('off');
    const onlyStates = 'created,on updated,on updated,on removed,on';
    const lines = async (running: Running, last: RegExp) =>
      (await running.until(last)).trimEnd().split('\r\n').slice(1).join(' ');
    expect(await lines(all, /removed,off/)).toBe(
      'created,off created,on updated,on updated,on updated,on removed,on removed,off',
    );
    expect(await lines(states, /removed,on/)).toBe(onlyStates);
    expect(await lines(earlier, /removed,on/)).toBe(onlyStates);
    const late = new Running(...words, '--after', '1h', '--state-changes', '--resource', 'on');
    expect(await lines(late, /removed,on/)).toBe(onlyStates);
  });

  it('says in which state a resource was created, unless it is inactive', async () => {
    await put('born-calm', {});
    await put('born-pending', { state: 'ALERTSTATE_PENDING' });
    const environment = { ROSTER_SERVER: roster.url, ROSTER_STATION: 'demo/follow/zone-1/station-1' };
    const fieldsOf = async (id: string, ...words: string[]) =>
      (await runRoster(['changes', '--resource', id, '--columns', 'fields', ...words], { environment }))
        .stdout;
    expect(await fieldsOf('born-calm')).toBe('FIELDS\n\n');
    expect(await fieldsOf('born-pending')).toBe('FIELDS\nPENDING\n');
    expect(await fieldsOf('born-pending', '-o', 'csv')).toBe('fields\r\nstate ALERTSTATE_PENDING\r\n');
  });

  it('does not go together with what needs an end', async () => {
    const environment = { ROSTER_SERVER: roster.url, ROSTER_STATION: 'demo/follow/zone-1/station-1' };
    for (const words of [
      ['changes', '--follow', '--limit', '5'],
      ['changes', '--follow', '--before', '1h'],
      ['changes', '--follow', '-o', 'json'],
      ['list', '--watch', '--sort', 'name'],
      ['list', '--watch', '--count'],
    ]) {
      expect([words, (await runRoster(words, { environment })).code]).toEqual([words, 2]);
    }
  });
});

describe('roster list --watch', () => {
  it('shows the list, then new, changed and removed resources', async () => {
    await put('calm', {});
    await put('loud', { state: 'ALERTSTATE_FIRING' });
    const running = new Running(
      'list',
      '--state',
      'firing',
      '--watch',
      '-o',
      'ndjson',
      '--columns',
      'change,resource_id',
    );
    await running.until(/^\{"change":"listed","resource_id":"loud"\}\n$/);
    await put('calm', { state: 'ALERTSTATE_FIRING' });
    await put('loud', { state: 'ALERTSTATE_FIRING', sku: '1 x' });
    await put('loud', { state: 'ALERTSTATE_INACTIVE' });
    await put('other', {});
    await station.manage.remove('calm');
    const text = await running.until(/"gone","resource_id":"calm"/);
    expect(
      text
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => Object.values(JSON.parse(line)).join(' ')),
    ).toEqual(['new calm', 'changed loud', 'gone loud', 'gone calm']);
    expect(await running.interrupt()).toBe(130);
  });

  it('says that nothing matches yet, and begins the table with what does', async () => {
    const running = new Running('list', '--watch', '--state', 'suppressed');
    await running.untilTold(/^no resources match yet\n$/);
    await put('silenced', { state: 'ALERTSTATE_SUPPRESSED' });
    const [header, row] = (await running.until(/silenced\n$/)).split('\n');
    expect(header).toMatch(/^TIME \(UTC\) {11}CHANGE {2}DISPLAY NAME {3}STATE /);
    expect(row).toMatch(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d {2}new {5}name-silenced {2}SUPPRESSED /);
  });

  it('says when it has lost the server, and when it has it back', async () => {
    const proxy = await FaultProxy.start(Number(new URL(roster.url).port));
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    await put('kept', { state: 'ALERTSTATE_FIRING' });
    const words = ['list', '--watch', '--id', 'kept', '-o', 'ndjson', '--columns', 'change,resource_id'];
    const running = new Running(...words, '--server', proxy.url(roster.url));
    await running.until(/"listed"/);
    proxy.isRefusing = true;
    proxy.cut();
    await running.untilTold(
      /^roster: lost the connection to the server at [\d-]+ [\d:]+ UTC; trying again\n$/,
    );
    await put('kept', { state: 'ALERTSTATE_INACTIVE' });
    proxy.heal();
    await running.untilTold(/again\nroster: connected again; nothing has been missed\n$/);
    expect(await running.until(/"changed"/)).toMatch(/^.*"listed".*\n.*"changed".*\n$/);
  });

  it('fails like a list without a server, or without the station', async () => {
    const watch = ['list', '--watch', '--server'];
    const nowhere = await runRoster([...watch, 'http://127.0.0.1:1', 'a/b/c/d']);
    expect([nowhere.code, nowhere.stderr]).toEqual([5, expect.stringContaining('cannot reach')]);
    expect((await runRoster([...watch, roster.url, 'a/b/c/d'])).code).toBe(3);
  });

  it('adds the time to the end of what programs read', async () => {
    await put('dated', { state: 'ALERTSTATE_SUPPRESSED' });
    const words = ['list', '--watch', '--id', 'dated', '-o'];
    const csv = await new Running(...words, 'csv').until(/\nlisted,.*\r\n$/);
    expect(csv).toMatch(/^change,display_name,.*,time\r\nlisted,.*,20[\d-]+T[\d:.]+Z\r\n$/);
    const json = new Running(...words, 'ndjson');
    await json.until(/\n/);
    await put('dated', { state: 'ALERTSTATE_FIRING' });
    const [, line = ''] = (await json.until(/\n.*\n/)).split('\n');
    const { changed_at: time } = await station.manage.resource('dated');
    expect(JSON.parse(line)).toMatchObject({ change: 'changed', time });
  });
});
