import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer } from '../../testing/ask.ts';
import { record, TestServer } from '../../testing/test-server.ts';

const stations = {
  east: 'subscriptions/acme/resourceGroups/gpu/zones/z1/telemetryStations/east',
  west: 'subscriptions/acme/resourceGroups/gpu/zones/z2/telemetryStations/west',
  other: 'subscriptions/other/resourceGroups/web/zones/z1/telemetryStations/east',
} as const;

interface EverywhereBody {
  readonly resources: { station: string; resource_id: string }[];
  readonly page: { readonly offset: number; readonly size: number; readonly total: number };
  readonly facets: Record<string, { values: { value: string; count: number }[] }> | null;
  readonly hints: string[];
}

let server: TestServer;
let narrow: string;

const asAdmin = () => bearer(server.firstToken!);
const search = (query = '', headers: Record<string, string> = asAdmin()) =>
  fetch(`${server.url}/roster/v1/resources?${query}`, { headers });
const found = async (query = '', headers?: Record<string, string>) =>
  (await (await search(query, headers)).json()) as EverywhereBody;
const places = async (query = '', headers?: Record<string, string>) =>
  (await found(query, headers)).resources.map(({ station, resource_id: id }) => {
    const [, subscription, , , , , , name] = station.split('/');
    return `${subscription}/${name}/${id}`;
  });

async function write(station: string, ...records: object[]): Promise<void> {
  const headers = { ...asAdmin(), 'Content-Type': 'application/json' };
  await fetch(`${server.url}/roster/v1/${station}`, { method: 'PUT', headers });
  const body = JSON.stringify(records);
  const written = await fetch(`${server.url}/roster/v1/${station}/resources`, {
    method: 'POST',
    headers,
    body,
  });
  expect(written.status).toBe(200);
}

beforeAll(async () => {
  server = await TestServer.start({ ROSTER_AUTH: 'on' });
  const firing = { state: 'ALERTSTATE_FIRING', state_since: '2026-01-03T00:00:00Z', alert_rules_count: 1 };
  await write(
    stations.east,
    record('node-7f3', { display_name: 'b node', gpu_model: 'H100', labels: { rack: 'r1' }, ...firing }),
    record('quiet', { display_name: 'a quiet one', alert_rules_count: 2 }),
  );
  await write(stations.west, record('bare', { display_name: 'c bare' }));
  await write(
    stations.other,
    record('node-7f3', { display_name: 'b node', ...firing, state_since: '2026-01-02T00:00:00Z' }),
    record('secret', { display_name: 'secret', resource_type: 'resource_type.secret.thing', ...firing }),
  );
  const made = await fetch(`${server.url}/roster/v1/tokens`, {
    method: 'POST',
    headers: { ...asAdmin(), 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'narrow', role: 'reader', scopes: ['acme/**'] }),
  });
  narrow = ((await made.json()) as { token: string }).token;
});

afterAll(() => server[Symbol.asyncDispose]());

describe('a search of all stations', () => {
  it.each([
    [
      '',
      ['acme/east/quiet', 'acme/east/node-7f3', 'other/east/node-7f3', 'acme/west/bare', 'other/east/secret'],
    ],
    ['state=firing', ['acme/east/node-7f3', 'other/east/node-7f3', 'other/east/secret']],
    ['state=firing&order_by=state_since', ['other/east/node-7f3', 'acme/east/node-7f3', 'other/east/secret']],
    ['covered=false', ['acme/west/bare']],
    ['text=7F3', ['acme/east/node-7f3', 'other/east/node-7f3']],
    ['text=acme', []],
    ['resource_ids=node-7f3&subscription=other', ['other/east/node-7f3']],
    ['subscription=acme', ['acme/east/quiet', 'acme/east/node-7f3', 'acme/west/bare']],
    ['resource_group=web,none', ['other/east/node-7f3', 'other/east/secret']],
    ['zone=z2', ['acme/west/bare']],
    ['station=east&state=firing', ['acme/east/node-7f3', 'other/east/node-7f3', 'other/east/secret']],
    [`station=${stations.east}`, ['acme/east/quiet', 'acme/east/node-7f3']],
    ['station=nowhere', []],
    ['page.offset=1&page.size=2', ['acme/east/node-7f3', 'other/east/node-7f3']],
  ])('finds %s', async (query, expected) => {
    expect(await places(query)).toEqual(expected);
  });

  it('answers whole records with their station, the exact total, and facets', async () => {
    const body = await found('state=firing&page.size=1&facets=station,state,resource_type&station=west,east');
    expect(body).toEqual({
      resources: [
        {
          station: stations.east,
          resource_type: { key: 'resource_type.compute.vm', label: 'Compute vm' },
          resource_id: 'node-7f3',
          create_time: expect.any(String),
          sku: '',
          state: 'ALERTSTATE_FIRING',
          display_name: 'b node',
          alert_rules_count: 1,
          name: 'name-node-7f3',
          gpu_model: 'H100',
          product: '',
          alertable: true,
          state_since: '2026-01-03T00:00:00.000Z',
          labels: { rack: 'r1' },
        },
      ],
      page: { offset: 0, size: 1, total: 3 },
      facets: {
        station: {
          values: [
            { value: stations.other, count: 2 },
            { value: stations.east, count: 1 },
          ],
          other_values: 0,
        },
        state: {
          values: [
            { value: 'ALERTSTATE_FIRING', count: 3 },
            { value: 'ALERTSTATE_INACTIVE', count: 2 },
          ],
          other_values: 0,
        },
        resource_type: {
          values: [
            { value: 'resource_type.compute.vm', count: 2 },
            { value: 'resource_type.secret.thing', count: 1 },
          ],
          other_values: 0,
        },
      },
      hints: [],
    });
  });

  it('shows nothing out of scope, in rows, totals, facets and hints', async () => {
    const headers = bearer(narrow);
    for (const query of [
      '',
      'state=firing',
      'covered=false',
      'text=e',
      'subscription=other',
      'station=east',
    ]) {
      const body = await found(`${query}&facets=station,subscription,state,resource_type`, headers);
      expect(JSON.stringify(body)).not.toMatch(/other\/|secret/);
      const everyone = await found(`${query}&subscription=acme&facets=state,resource_type`);
      expect(body.page.total).toBe(query.includes('subscription=other') ? 0 : everyone.page.total);
    }
    const { hints } = await found('label.rak=r1&product=product.x', headers);
    expect(hints).toEqual([]);
  });

  it('shows a write at once, and forgets a deleted station', async () => {
    expect((await found('state=pending')).page.total).toBe(0);
    await write(stations.west, record('bare', { state: 'ALERTSTATE_PENDING' }));
    expect(await places('state=pending')).toEqual(['acme/west/bare']);
    const gone = stations.west.replace('west', 'gone');
    await write(gone, record('g', { state: 'ALERTSTATE_PENDING' }));
    expect((await found('state=pending')).page.total).toBe(2);
    await fetch(`${server.url}/roster/v1/${gone}`, { method: 'DELETE', headers: asAdmin() });
    expect(await places('state=pending')).toEqual(['acme/west/bare']);
    await write(stations.west, record('bare', { state: 'ALERTSTATE_INACTIVE' }));
    expect(await places('state=pending')).toEqual([]);
  });

  it('answers 304 to the same search, and labels in the language asked for', async () => {
    await fetch(`${server.url}/roster/v1/resource-types/resource_type.compute.vm`, {
      method: 'PUT',
      headers: { ...asAdmin(), 'Content-Type': 'application/json' },
      body: JSON.stringify({ labels: { en: 'Compute vm', zh: '虚拟机' } }),
    });
    const first = await search('state=firing', { ...asAdmin(), 'Accept-Language': 'zh' });
    expect([first.headers.get('content-language'), first.headers.get('roster-revision')]).toEqual([
      'zh',
      null,
    ]);
    expect(await first.text()).toContain('虚拟机');
    const again = { ...asAdmin(), 'Accept-Language': 'zh', 'If-None-Match': first.headers.get('etag')! };
    expect((await search('state=firing', again)).status).toBe(304);
    expect((await search('state=pending', again)).status).toBe(200);
  });

  it.each([
    ['stat=firing', 'unknown_parameter', 'state'],
    ['station=a/b', 'invalid_parameter', 'must be the name of a station'],
    ['facets=nothing', 'invalid_parameter', 'must be some of subscription'],
    ['state=', '', ''],
    ['page.size=1001', 'invalid_parameter', 'page.size'],
    ['order_by=station', 'invalid_parameter', 'order_by'],
    [`text=${'x'.repeat(300)}`, 'invalid_parameter', 'text'],
    ['station=%00', '', ''],
    ['zone=%ff', 'invalid_parameter', 'UTF-8'],
  ])('is strict: %s', async (query, code, words) => {
    const answer = await search(query);
    const body = (await answer.json()) as { code?: string; detail?: string };
    expect([answer.status, body.code ?? '']).toEqual([code === '' ? 200 : 400, code]);
    expect(body.detail ?? '').toContain(words);
  });

  it('hints at the state that may have been meant, and not at one that nothing has', async () => {
    expect((await found('state=fireing')).hints).toEqual([
      '"ALERTSTATE_FIREING" is not a usual state; did you mean "ALERTSTATE_FIRING"?',
    ]);
    expect((await found('state=active')).hints).toEqual([
      '"ALERTSTATE_ACTIVE" is not a usual state; did you mean "ALERTSTATE_FIRING"?',
    ]);
    expect((await found('state=on')).hints).toEqual(['"ALERTSTATE_ON" is not a usual state']);
    expect((await found('state=suppressed')).hints).toEqual([]);
  });

  it('hints at the type that may have been meant', async () => {
    const { hints } = await found('resource_type=resource_type.compute.vn');
    expect(hints).toEqual([
      'there is no resource type "resource_type.compute.vn"; did you mean "resource_type.compute.vm"?',
    ]);
  });
});
