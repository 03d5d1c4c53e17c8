import { spawn } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { startLocalServer } from '../testing/local-server.ts';
import { cleanEnvironment, executable, runRoster } from '../testing/run-roster.ts';
import { startRoster } from '../testing/start-roster.ts';

const sample = 'subscriptions/demo/resourceGroups/sample/zones/zone-1/telemetryStations/station-1';
const inTime = { timeout: 60_000, interval: 100 };

it('says on stderr which states are old because a source does not answer', async () => {
  let isDown = false;
  const { url } = await startLocalServer(({ pathname }, response) => {
    response.setHeader('Content-Type', 'application/json');
    if (isDown) response.statusCode = 500;
    const data = pathname === '/api/v1/rules' ? { groups: [] } : [];
    response.end(JSON.stringify({ status: 'success', data }));
  });
  const source = (name: string, address: string) => ({
    name,
    prometheus: { url: address, interval: '1s' },
    stations: [sample],
    tie: [{ label: 'host', to: 'name' }],
  });
  const sources = [source('prom', url), source('never', 'http://127.0.0.1:9')];
  const roster = await startRoster({ ROSTER_SOURCES: JSON.stringify(sources) });
  onTestFinished(async () => void (await roster.stop()));
  const environment = { ROSTER_SERVER: roster.url, ROSTER_STATION: sample };
  const run = (...words: string[]) => runRoster(words, { environment });
  const never = 'roster: states may be wrong: never has never answered\n';
  const health = async () => JSON.parse((await run('source', 'list', '-o', 'json')).stdout)[0].health;

  await expect.poll(health, inTime).toBe('up');
  await expect.poll(async () => (await run('list', '--limit', '1')).stderr, inTime).toBe(never);
  isDown = true;
  await expect.poll(health, inTime).toBe('down');
  const told = /^roster: state as of \d\d:\d\d UTC: prom does not answer\n/;
  const [{ resource_id: id }] = JSON.parse((await run('list', '--limit', '1', '-o', 'json')).stdout);
  const lists = [['list'], ['list', '--state', 'firing'], ['list', '--count']];
  for (const words of [
    ...lists,
    ['summary'],
    ['find'],
    ['get', id],
    ['alerts', id],
    ['stations'],
    ['changes'],
    ['trends'],
  ]) {
    const { code, stdout, stderr } = await run(...words, ...(words[0] === 'list' ? [] : ['-o', 'json']));
    expect([code, stderr.replace(told, '')]).toEqual([0, never]);
    expect(stderr).toMatch(told);
    expect(stdout).not.toContain('prom');
  }
  for (const flags of [[], ['--everywhere'], ['--zone', 'zone-1,zone-2']]) {
    expect((await run('view', 'save', 'firing', '--state', 'firing', ...flags)).code).toBe(0);
    expect((await run('view', 'run', 'firing', '--count')).stderr).toMatch(told);
  }
  expect((await run('view', 'save', 'elsewhere', '--zone', 'elsewhere')).code).toBe(0);
  expect((await run('view', 'run', 'elsewhere')).stderr).not.toContain('prom');
  expect((await run('find', '--zone', 'elsewhere')).stderr).not.toContain('prom');
  expect((await run('find', '--zone', 'zone-1', '--station', 'station-1', '--count')).stderr).toMatch(told);

  const watching = spawn(process.execPath, [executable, 'list', '--watch', '--state', 'firing'], {
    env: { ...cleanEnvironment(), ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void watching.kill('SIGKILL'));
  let stderr = '';
  watching.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  await expect.poll(() => stderr, inTime).toMatch(told);
  isDown = false;
  await expect.poll(() => stderr, inTime).toMatch(/roster: prom answers again\n$/);
  const ended = new Promise((resolve) => watching.once('exit', resolve));
  watching.kill('SIGINT');
  await ended;
});
