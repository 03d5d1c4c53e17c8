import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOnTerminal } from '../../testing/run-on-terminal.ts';
import { printed, runRoster } from '../../testing/run-roster.ts';
import { type RunningRoster, startRoster } from '../../testing/start-roster.ts';

let roster: RunningRoster;
let environment: Record<string, string>;

beforeAll(async () => {
  roster = await startRoster();
  environment = { ROSTER_SERVER: roster.url };
  await printed(['station', 'create', 'acme/web/zone-2/other'], { environment });
  const station = 'subscriptions/acme/resourceGroups/web/zones/zone-2/telemetryStations/other';
  const node = { resource_id: 'x1', name: 'gpu-7f3', resource_type: 'resource_type.compute.vm' };
  await fetch(`${roster.url}/roster/v1/${station}/resources`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify([{ ...node, state: 'ALERTSTATE_FIRING' }]),
  });
});
afterAll(() => roster.stop());

const find = (...words: string[]) => printed(['find', ...words], { environment });

describe('roster find', () => {
  it('finds a resource by any part of its name, and says its station', async () => {
    const [header, row, end] = (await find('GPU-7F3')).split('\n');
    expect(header).toMatch(/^DISPLAY NAME +STATE +SINCE +STATION +RULES +TYPE /);
    expect(row).toMatch(/^gpu-7f3 +FIRING +\S+ +acme\/web\/zone-2\/other +none /);
    expect(end).toBe('');
  });

  it('finds what is firing anywhere, and counts it', async () => {
    const inSample = Number(
      await printed(['list', 'demo/sample/zone-1/station-1', '--state', 'firing', '--count'], {
        environment,
      }),
    );
    expect(inSample).toBeGreaterThan(0);
    expect(await find('--state', 'firing', '--count')).toBe(`${inSample + 1}\n`);
    const rows = JSON.parse(await find('--state', 'firing', '--page-size', '5', '-o', 'json'));
    expect(rows).toHaveLength(inSample + 1);
    expect(new Set(rows.map(({ station }: { station: string }) => station)).size).toBe(2);
  });

  it.each([
    [['--subscription', 'acme'], '1\n'],
    [['--resource-group', 'web'], '1\n'],
    [['--zone', 'zone-2'], '1\n'],
    [['--station', 'other'], '1\n'],
    [['--station', 'acme/web/zone-2/other'], '1\n'],
    [['--station', 'none'], '0\n'],
    [['--limit', '3'], '3\n'],
  ])('narrows with %j', async (flags, count) => {
    expect(await find(...flags, '--count')).toBe(count);
  });

  it('orders by a field', async () => {
    const ids = await find('--state', 'firing', '--sort', 'state_since:desc', '--limit', '1', '-o', 'name');
    expect(ids).toBe('x1\n');
  });

  it.each([
    [['a', '--text', 'b'], 'TEXT and --text are the same'],
    [['--sort', 'station'], '--sort must be one of'],
    [['--station', 'a/b'], 'a station must be written as'],
    [['a', 'b'], 'too many arguments'],
  ])('refuses %j', async (words, reason) => {
    const { code, stderr } = await runRoster(['find', ...words], { environment });
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});

it('says on a terminal how many there are, if rows were cut off', async () => {
  const told = async (...words: string[]) => {
    const { stderr } = await runOnTerminal(words, { columns: 80, environment });
    return stderr;
  };
  const station = 'demo/sample/zone-1/station-1';
  expect(await told('list', station, '--limit', '5')).toBe('roster: 5 of 1 204\n');
  expect(await told('list', station, '--limit', '5', '--page-size', '2')).toBe('roster: 5 of 1 204\n');
  expect(await told('list', station, '--limit', '5', '--sort', 'name')).toBe('roster: 5 of 1 204\n');
  expect(await told('list', station, '--limit', '9', '--offset', '1200')).toBe('roster: 4 of 1 204\n');
  expect(await told('find', '--limit', '5')).toBe('roster: 5 of 1 205\n');
  await printed(['view', 'save', 'all', '--everywhere', '--text', '-'], { environment });
  expect(await told('view', 'run', 'all', '--limit', '2')).toMatch(/^roster: 2 of [\d ]+\n$/);
  for (const words of [[], ['--limit', '2000'], ['--limit', '5', '--count']]) {
    expect(await told('list', station, ...words)).toBe('');
  }
  expect((await runRoster(['list', station, '--limit', '5'], { environment })).stderr).toBe('');
});
