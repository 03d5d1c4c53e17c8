import { describe, expect, it } from 'vitest';
import { resource } from '../../../../testing/resource.ts';
import { createClient } from '../client.ts';
import { startListServer } from '../testing/list-server.ts';
import { sendJson, sendText, startLocalServer } from '../testing/local-server.ts';

async function listFrom(envelope: unknown) {
  const server = await startLocalServer((_, response) => sendJson(response, envelope));
  return createClient({ baseUrl: server.url }).station('a/b/c/d').list();
}

describe('list', () => {
  it('sends requests as the interface documents them', async () => {
    const server = await startListServer(() => ({ resources: [], page: null }));
    const client = createClient({
      baseUrl: `${server.url}/behind/`,
      token: 'secret-token',
      userAgent: 'test/1',
    });
    await client.station({ subscription: 'a/b', resourceGroup: 'ü', zone: 'z 1', name: '%' }).list();
    const [request] = server.requests;
    expect(request!.url.pathname).toBe(
      '/behind/monitor/ts/data/v1/subscriptions/a%2Fb/resourceGroups/%C3%BC/zones/z%201/telemetryStations/%25/resources',
    );
    expect(request!.url.search).toBe('');
    expect(request!.headers).toMatchObject({
      authorization: 'Bearer secret-token',
      'content-type': 'application/json',
      'user-agent': 'test/1',
    });
  });

  it('keeps what it does not know: fields, states and types', async () => {
    const odd = resource('a', {
      state: 'ALERTSTATE_ON_FIRE',
      resource_type: { key: 'resource_type.new.kind', label: 'New', icon: 'star' },
      zone_hint: { rack: 7 },
    });
    expect((await listFrom({ resources: [odd], page: null, trace: 'x' })).resources).toEqual([odd]);
  });

  it.each([
    [3, 3],
    ['3', 3],
    ['0', 0],
    ['', 0],
    [null, 0],
    [undefined, 0],
  ])('makes a number of the count %j', async (sent, expected) => {
    const { resources } = await listFrom({ resources: [resource('a', { alert_rules_count: sent })] });
    expect(resources[0]!.alert_rules_count).toBe(expected);
  });

  it('turns null and absent fields into texts, as the types say', async () => {
    const { resources } = await listFrom({ resources: [{ resource_id: 'a', gpu_model: null, sku: null }] });
    expect(resources).toEqual([
      {
        resource_type: { key: '', label: '' },
        resource_id: 'a',
        create_time: '',
        sku: '',
        state: '',
        display_name: '',
        alert_rules_count: 0,
        name: '',
        gpu_model: '',
      },
    ]);
  });

  it('accepts a type given as its key', async () => {
    const { resources } = await listFrom({
      resources: [resource('a', { resource_type: 'resource_type.x' })],
    });
    expect(resources[0]!.resource_type).toEqual({ key: 'resource_type.x', label: 'resource_type.x' });
  });

  it.each([
    [null, null],
    [undefined, null],
    [{}, null],
    [{ total: '12' }, { offset: 0, size: 0, total: 12 }],
    [
      { offset: '5', size: 1, total: 12, cursor: 'c' },
      { offset: 5, size: 1, total: 12, cursor: 'c' },
    ],
  ])('reads the page %j', async (sent, expected) => {
    expect((await listFrom({ resources: [], page: sent })).page).toEqual(expected);
  });

  it.each([{ resources: null, page: null }, { page: { total: 0 } }, {}])(
    'takes %j for an empty list',
    async (envelope) => {
      expect((await listFrom(envelope)).resources).toEqual([]);
    },
  );

  it.each([
    [[], 'not an object with resources and page'],
    ['text', 'not an object with resources and page'],
    [{ error: 'no' }, 'an object without a list of resources: "{\\"error\\":\\"no\\"}"'],
    [{ resources: { a: 1 } }, 'an object without a list of resources'],
    [{ resources: ['a'] }, 'that is "a", not an object'],
    [{ resources: [{ name: 'a' }] }, 'that has no string as resource_id'],
    [
      { resources: [resource('a', { alert_rules_count: 'many' })] },
      '("a") that has "many" as alert_rules_count',
    ],
    [{ resources: [resource('a', { alert_rules_count: '-1' })] }, 'has "-1" as alert_rules_count'],
    [{ resources: [resource('a', { state: 7 })] }, 'has 7 as state, not a string'],
    [{ resources: [resource('a', { resource_type: 7 })] }, 'has 7 as resource_type, not an object'],
  ])('refuses %j', async (envelope, reason) => {
    await expect(listFrom(envelope)).rejects.toMatchObject({
      code: 'malformed_answer',
      message: expect.stringMatching(/^GET http:\S+ answered 200 with .*/),
    });
    await expect(listFrom(envelope)).rejects.toThrow(reason);
  });

  it('accepts JSON labelled as plain text', async () => {
    const server = await startLocalServer((_, response) =>
      sendText(response, 'text/plain; charset=utf-8', '{"resources":[],"page":null}'),
    );
    expect((await createClient({ baseUrl: server.url }).station('a/b/c/d').list()).resources).toEqual([]);
  });

  it('returns the headers, and sends the language of the call', async () => {
    const server = await startLocalServer((_, response) => {
      response.setHeader('ETag', '"e"').setHeader('Roster-Revision', 'epoch.1');
      response.setHeader('Content-Language', 'zh');
      sendJson(response, { resources: [], page: null });
    });
    const station = createClient({ baseUrl: server.url, acceptLanguage: 'en' }).station('a/b/c/d');
    expect(await station.list({}, { acceptLanguage: 'zh', revision: 'epoch.1' })).toMatchObject({
      etag: '"e"',
      revision: 'epoch.1',
      language: 'zh',
    });
    await station.list();
    const languages = server.requests.map(({ headers }) => headers['accept-language']);
    expect(languages).toEqual(['zh', 'en']);
    expect(server.requests[0]!.headers['roster-revision']).toBe('epoch.1');
  });
});
