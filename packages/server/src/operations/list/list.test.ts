import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { record, TestServer } from '../../testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start({ ROSTER_MAX_UNPAGED: '10' });
  await server.createStation();
  await server.write(
    record('id-1', { display_name: 'b', resource_type: { key: 'resource_type.a.one', label: 'One' } }),
    record('id-2', { display_name: 'a', resource_type: 'resource_type.a.two', product: 'product.x' }),
    record('id-3', { display_name: 'a', resource_type: 'resource_type.a.two', alertable: false }),
    record('id-4', { display_name: 'aB', resource_type: 'resource_type.b.b', product: 'product.x' }),
    record('id-5', {
      display_name: '节点',
      resource_type: 'resource_type.b.b',
      create_time: '2026-01-01T00:00:00.5Z',
    }),
  );
});

afterAll(() => server[Symbol.asyncDispose]());

describe('the list operation', () => {
  it('answers 200 with exactly the documented fields', async () => {
    const response = await server.list('resource_ids=id-5&page.size=1');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({
      resources: [
        {
          resource_type: { key: 'resource_type.b.b', label: 'B b' },
          resource_id: 'id-5',
          create_time: '2026-01-01T00:00:00.5Z',
          sku: '',
          state: 'ALERTSTATE_INACTIVE',
          display_name: '节点',
          alert_rules_count: 0,
          name: 'name-id-5',
          gpu_model: '',
        },
      ],
      page: { offset: 0, size: 1, total: 1 },
    });
  });

  it('gives the whole list and a null page without page parameters, ordered by display name and id', async () => {
    const { resources, page } = await server.listed();
    expect(page).toBeNull();
    expect(resources.map((each) => each.resource_id)).toEqual(['id-2', 'id-3', 'id-4', 'id-1', 'id-5']);
    expect((await server.listed('resource_ids=none')).resources).toEqual([]);
  });

  it.each([
    ['page.size=2', ['id-2', 'id-3'], { offset: 0, size: 2, total: 5 }],
    ['page.offset=3', ['id-1', 'id-5'], { offset: 3, size: 50, total: 5 }],
    ['page.offset=4&page.size=1000', ['id-5'], { offset: 4, size: 1000, total: 5 }],
    ['page.size=0', [], { offset: 0, size: 0, total: 5 }],
    ['page.offset=99', [], { offset: 99, size: 50, total: 5 }],
    ['page.offset=9007199254740991&page.total=1', [], { offset: 9007199254740991, size: 50, total: 5 }],
  ])('pages by %s', async (query, ids, page) => {
    const body = await server.listed(query);
    expect(body.page).toEqual(page);
    expect(body.resources.map((each) => each.resource_id)).toEqual(ids);
  });

  it.each([
    ['resource_type=resource_type.a.two', ['id-2', 'id-3']],
    ['resource_type=resource_type.a', []],
    ['resource_type=RESOURCE_TYPE.a.two', []],
    ['resource_types=resource_type.a.one,resource_type.b.b', ['id-4', 'id-1', 'id-5']],
    ['resource_types=resource_type.a.one&resource_types=resource_type.b.b', ['id-4', 'id-1', 'id-5']],
    ['resource_types=resource_type.b.b,resource_type.b.b', ['id-4', 'id-5']],
    [
      'resource_type=resource_type.b.b&resource_types=resource_type.a.one,resource_type.b.b',
      ['id-4', 'id-5'],
    ],
    ['resource_type=resource_type.b.b&resource_types=resource_type.a.one', []],
    ['product=product.x', ['id-2', 'id-4']],
    ['product=product.x&resource_type=resource_type.b.b', ['id-4']],
    ['resource_display_name_prefix=a', ['id-2', 'id-3', 'id-4']],
    ['resource_display_name_prefix=A', []],
    ['resource_display_name_prefix=%E8%8A%82', ['id-5']],
    ['resource_display_name_prefix=a%25', []],
    ['resource_ids=id-3,id-1,id-3,nope', ['id-3', 'id-1']],
    ['resource_ids=id-3&resource_ids=%20id-2%20,', ['id-2', 'id-3']],
    ['resource_ids=id-3,id-2&enabled_alert=true', ['id-2']],
    ['resource_ids=id-1,id-4&resource_display_name_prefix=a', ['id-4']],
    ['enabled_alert=true', ['id-2', 'id-4', 'id-1', 'id-5']],
    ['enabled_alert=false', ['id-2', 'id-3', 'id-4', 'id-1', 'id-5']],
    ['resource_ids=&product=&page.size=', ['id-2', 'id-3', 'id-4', 'id-1', 'id-5']],
  ])('filters by %s', async (query, ids) => {
    expect(await server.ids(query)).toEqual(ids);
  });

  it('gives the same answer every time the same URL is asked', async () => {
    const answers = [];
    for (let round = 0; round < 4; round++) answers.push(await (await server.list('page.size=3')).text());
    expect(new Set(answers).size).toBe(1);
  });

  it('answers in the language that is asked for, filters by key alone, and says so', async () => {
    await using sample = await TestServer.start({ ROSTER_SAMPLE: 'true' });
    const url = `${sample.url}/monitor/ts/data/v1/subscriptions/demo/resourceGroups/sample/zones/zone-1/telemetryStations/station-1/resources`;
    const inLanguage = async (language: string) => {
      const query = '?resource_types=resource_type.compute.gpu_node,resource_type.compute.vm&page.size=300';
      const response = await fetch(url + query, { headers: { 'Accept-Language': language } });
      const { resources } = (await response.json()) as { resources: { resource_type: { label: string } }[] };
      const { headers } = response;
      return {
        labels: [...new Set(resources.map((each) => each.resource_type.label))],
        language: headers.get('content-language'),
        etag: headers.get('etag'),
        vary: headers.get('vary'),
      };
    };
    const english = await inLanguage('en-GB');
    const chinese = await inLanguage('fr, zh-CN;q=0.9, en;q=0.5');
    expect(english).toMatchObject({ labels: ['GPU node', 'Virtual machine'], language: 'en' });
    expect(chinese).toMatchObject({ labels: ['GPU 节点', '云服务器'], language: 'zh' });
    expect(chinese.etag).not.toBe(english.etag);
    expect(chinese.vary).toContain('Accept-Language');
    expect(await inLanguage('fr')).toEqual(english);
    expect(
      await (await fetch(`${url}?resource_type=${encodeURIComponent('GPU 节点')}&page.size=1`)).json(),
    ).toMatchObject({
      page: { total: 0 },
    });
  });

  it('refuses a bad parameter with a problem document that names it', async () => {
    const response = await server.list('page.size=abc');
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(await response.json()).toEqual({
      type: expect.any(String),
      title: 'Invalid parameter',
      status: 400,
      detail: 'page.size must be a whole number between 0 and 1000, got "abc"',
      code: 'invalid_parameter',
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      parameter: 'page.size',
    });
  });

  it('does not know a station that is not there', async () => {
    const other = `${server.url}/monitor/ts/data/v1/subscriptions/s/resourceGroups/g/zones/z/telemetryStations/no/resources`;
    const response = await fetch(other);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'station_not_found' });
  });

  it('asks for paging above the limit, with the total', async () => {
    await using large = await TestServer.start({ ROSTER_MAX_UNPAGED: '3' });
    await large.createStation();
    await large.write(...['a', 'b', 'c', 'd'].map((id) => record(id)));
    const response = await large.list();
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'paging_required', total: 4 });
    const known = { headers: { 'If-None-Match': '*' } };
    expect((await large.list('', known)).status).toBe(400);
    expect((await large.list('page.size=1', known)).status).toBe(304);
    expect(await large.ids('resource_ids=a,b,c')).toEqual(['a', 'b', 'c']);
  });

  it('ignores unknown parameters only when told to', async () => {
    expect((await server.list('limit=3')).status).toBe(400);
    await using lenient = await TestServer.start({ ROSTER_STRICT_QUERY: 'false' });
    await lenient.createStation();
    expect((await lenient.list('limit=3')).status).toBe(200);
  });

  it('answers HEAD like GET without a body, OPTIONS with what is allowed, and 405 to the rest', async () => {
    const head = await server.list('page.size=2', { method: 'HEAD' });
    const get = await server.list('page.size=2');
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(String((await get.arrayBuffer()).byteLength));
    expect(await head.text()).toBe('');
    const options = await server.list('', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await server.list('', { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect(await response.json()).toMatchObject({ code: 'method_not_allowed' });
    }
  });

  it('accepts a content type on the GET', async () => {
    const response = await server.list('page.size=1', { headers: { 'Content-Type': 'application/json' } });
    expect(response.status).toBe(200);
  });
});

it('repeats no more of an unknown parameter than tells which one it is', async () => {
  for (const name of ['x'.repeat(50_000), `%ff${'x'.repeat(50_000)}`]) {
    const text = await (await server.list(`${name}=1`)).text();
    expect(text.length).toBeLessThan(1_500);
    expect(JSON.parse(text).parameter).toMatch(/x{100}…$/);
  }
});
