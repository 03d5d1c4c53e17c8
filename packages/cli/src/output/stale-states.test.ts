import type { Source } from '@roster/client';
import { expect, it } from 'vitest';
import { sendJson, startLocalServer } from '../testing/local-server.ts';
import { runOnTerminal } from '../testing/run-on-terminal.ts';

const shop = 'subscriptions/acme/resourceGroups/web/zones/zone-1/telemetryStations/shop';
const lab = 'subscriptions/acme/resourceGroups/web/zones/zone-1/telemetryStations/lab';
const time = '2026-11-17T08:00:00.000Z';
type Asked = Pick<Source, 'name' | 'stations' | 'health' | 'last_read'>;
const prom: Asked = { name: 'prom', stations: [shop], health: 'up', last_read: time };
const down: Asked = { ...prom, health: 'down' };
const starting: Asked = { ...prom, health: 'unknown', last_read: null };

const resource = (name: string, rules: number, station?: string) => ({
  resource_type: { key: 'resource_type.compute.vm', label: 'VM' },
  resource_id: name,
  create_time: time,
  sku: '',
  state: 'ALERTSTATE_INACTIVE',
  display_name: name,
  alert_rules_count: rules,
  name,
  gpu_model: '',
  state_since: time,
  ...(station === undefined ? {} : { station }),
});
const figures = (covered: number, uncovered: number) => {
  const alertable = covered + uncovered;
  return { total: alertable, alertable, covered, uncovered, states: { ALERTSTATE_INACTIVE: alertable } };
};

/** A server with two stations, one of which has a source. */
async function start() {
  const state = { source: prom, summary: figures(2, 0) };
  const { url } = await startLocalServer(({ pathname }, response) => {
    const isFind = pathname === '/roster/v1/resources';
    const page = { offset: 0, size: 1000, total: isFind ? 3 : 2 };
    const last = pathname.split('/').at(-1)!;
    if (last === 'sources') return sendJson(response, { sources: [state.source] });
    if (last === 'summary') return sendJson(response, { ...state.summary, types: [], products: [] });
    if (last === 'stations') return sendJson(response, { stations: [], page: { ...page, total: 0 } });
    if (last === 'changes') return sendJson(response, { changes: [], next: 'e.1', has_more: false });
    if (last === 'trends') return sendJson(response, { step: 'hour', points: [] });
    if (last === 'watched') return sendJson(response, resource('watched', 2));
    const here = isFind ? shop : undefined;
    const resources = [resource('watched', 2, here), resource('bare', 0, here)];
    if (isFind) resources.push(resource('other', 2, lab));
    sendJson(response, { resources, page, hints: [] });
  });
  const environment = { ROSTER_SERVER: url, ROSTER_STATION: 'acme/web/zone-1/shop' };
  const run = (...words: string[]) => runOnTerminal(words, { columns: 120, environment, hasColour: true });
  return { state, run };
}

it.each([[['stations']], [['changes']], [['trends']], [['stations', '--prefix', 'sh']]])(
  'says that states are old, in %j',
  async (words) => {
    const { state, run } = await start();
    expect((await run(...words)).stderr).not.toContain('prom');
    state.source = down;
    expect((await run(...words)).stderr).toMatch(
      /roster: state as of 2026-11-17 08:00 UTC: prom does not answer\n$/,
    );
  },
);

it('does not speak of sources of stations that are not shown', async () => {
  const { state, run } = await start();
  state.source = down;
  for (const flags of [
    ['--prefix', 'la'],
    ['--zone', 'zone-2'],
  ]) {
    expect((await run('stations', ...flags)).stderr).not.toContain('prom');
  }
});

it('lets only what is watched look calm', async () => {
  const { state, run } = await start();
  const calm = async (...words: string[]) => {
    const { stdout } = await run(...words);
    return stdout
      .split('\n')
      .flatMap((line) => (line.includes('\x1b[32mINACTIVE') ? [line.split(' ')[0]] : []));
  };
  expect(await calm('list')).toEqual(['watched']);
  expect(await calm('find')).toEqual(['watched', 'other']);
  expect(await calm('get', 'watched')).toHaveLength(1);
  expect(await calm('summary')).toHaveLength(1);
  state.summary = figures(2, 1);
  expect(await calm('summary')).toEqual([]);
  for (const source of [down, starting]) {
    state.source = source;
    state.summary = figures(2, 0);
    expect(await calm('list')).toEqual([]);
    expect(await calm('find')).toEqual(['other']);
    expect(await calm('get', 'watched')).toEqual([]);
    expect(await calm('summary')).toEqual([]);
  }
});
