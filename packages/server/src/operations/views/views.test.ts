import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answered, ask, bearer } from '../../testing/ask.ts';
import { record, TestServer } from '../../testing/test-server.ts';

const own = 'subscriptions/acme/resourceGroups/g/zones/z/telemetryStations/t';
const other = 'subscriptions/other/resourceGroups/g/zones/z/telemetryStations/t';
let server: TestServer;
let admin: string;
let reader: string;
let colleague: string;

beforeAll(async () => {
  server = await TestServer.start({ ROSTER_AUTH: 'on', ROSTER_LIMITS_REQUESTS_PER_SECOND: '0' });
  admin = server.firstToken!;
  for (const station of [own, other]) {
    await call(admin, 'PUT', `/${station}`);
    await call(admin, 'POST', `/${station}/resources`, [
      record('a', { state: 'ALERTSTATE_FIRING', labels: { rack: 'r1' } }),
      record('b', { state: 'ALERTSTATE_PENDING' }),
      record('c', { state: 'ALERTSTATE_FIRING', display_name: '机器' }),
    ]);
  }
  reader = await make('reader', 'acme/**');
  colleague = await make('reader', 'acme/**');
});
afterAll(() => server[Symbol.asyncDispose]());

interface Called {
  readonly status: number;
  readonly headers: Answered['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects says what it should be.
  readonly body: any;
}

async function call(
  token: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Called> {
  const answered = await ask(server.url, {
    method,
    path: `/roster/v1${path}`,
    headers: { ...bearer(token), ...headers },
    ...(body !== undefined && { body }),
  });
  return { ...answered, body: answered.body === '' ? undefined : JSON.parse(answered.body) };
}

async function make(role: string, ...scopes: string[]): Promise<string> {
  return (await call(admin, 'POST', '/tokens', { name: role, role, scopes })).body.token;
}

const firing = { station: own, query: 'order_by=-name&state=firing' };
/** What a body leaves out is all stations, and no filter. */
const save = (token: string, path: string, body: object = firing, headers: Record<string, string> = {}) =>
  call(
    token,
    'PUT',
    path,
    typeof body !== 'object' || Array.isArray(body) ? body : { station: null, query: '', ...body },
    headers,
  );
const names = async (token: string, query = '') =>
  (await call(token, 'GET', `/views${query}`)).body.views.map(({ name }: { name: string }) => name);

describe('a view', () => {
  it('is saved, read, changed, listed and deleted by its owner', async () => {
    const created = await save(reader, '/views/what%20fires');
    expect([created.status, created.body]).toEqual([
      201,
      {
        name: 'what fires',
        shared: false,
        station: own,
        query: 'state=firing&order_by=-name',
        path: '/roster/v1/views/what%20fires',
        version: expect.stringMatching(/^[0-9a-f]{16}$/),
        changed_at: expect.any(String),
        changed_by: expect.stringMatching(/^reader \(tok_/),
      },
    ]);
    expect(created.headers.etag).toBe(`"${created.body.version}"`);
    const read = await call(reader, 'GET', '/views/what%20fires');
    expect([read.status, read.body, read.headers.etag]).toEqual([200, created.body, created.headers.etag]);
    const listed = await call(reader, 'GET', '/views?shared=false');
    expect(listed.body).toEqual({ views: [created.body], page: { offset: 0, size: 50, total: 1 } });
    // What was read can be sent back.
    const same = await save(reader, '/views/what%20fires', created.body);
    expect([same.status, same.body]).toEqual([200, created.body]);
    const changed = await save(reader, '/views/what%20fires', { ...created.body, query: 'state=pending' });
    expect([changed.status, changed.body.query]).toEqual([200, 'state=pending']);
    expect(changed.body.version).not.toBe(created.body.version);
    expect((await call(reader, 'DELETE', '/views/what%20fires')).status).toBe(204);
    expect((await call(reader, 'DELETE', '/views/what%20fires')).body.code).toBe('view_not_found');
  });

  it('is its owner’s alone, and its name too', async () => {
    await save(reader, '/views/mine');
    for (const stranger of [colleague, admin]) {
      expect(await names(stranger)).not.toContain('mine');
      for (const [method, path] of [
        ['GET', '/views/mine'],
        ['GET', '/views/mine/resources'],
        ['DELETE', '/views/mine'],
      ] as const) {
        expect((await call(stranger, method, path)).body.code).toBe('view_not_found');
      }
    }
    await save(colleague, '/views/mine', { station: own, query: 'state=pending' });
    expect((await call(reader, 'GET', '/views/mine')).body.query).toBe('state=firing&order_by=-name');
  });

  it('counts times back from when it is run', async () => {
    const path = `/${own}/resources`;
    await call(admin, 'POST', path, [
      record('new', {
        state: 'ALERTSTATE_FIRING',
        state_since: new Date(Date.now() - 600_000).toISOString(),
      }),
    ]);
    const idsOf = async (station: string | null, query: string) => {
      expect([(await save(reader, '/views/times', { station, query })).status, query]).toEqual([
        expect.toBeOneOf([200, 201]),
        query,
      ]);
      const { headers, body } = await call(reader, 'GET', '/views/times/resources');
      expect(await call(reader, 'GET', '/views/times')).toMatchObject({ body: { query } });
      expect(headers.etag).toBeDefined();
      return body.resources.map(({ resource_id: id }: { resource_id: string }) => id);
    };
    for (const station of [own, null]) {
      expect(await idsOf(station, 'text=new&state_since_after=now-1h')).toEqual(['new']);
      expect(await idsOf(station, 'text=new&state_since_after=now-60s')).toEqual([]);
      expect(await idsOf(station, 'text=new&created_before=now-1d')).toEqual([]);
    }
    for (const time of ['now', 'now-', 'now-1y', 'now+1h', 'now-1.5h', 'now-1h,now-2h', 'now-1234567h']) {
      const { status, body } = await save(reader, '/views/times', { query: `state_since_after=${time}` });
      expect([time, status, body.code]).toEqual([time, 400, 'invalid_body']);
    }
    await call(admin, 'DELETE', `${path}/new`);
  });

  it('goes with its token', async () => {
    const { body } = await call(admin, 'POST', '/tokens', { name: 'x', role: 'reader', scopes: ['acme/**'] });
    await save(body.token, '/views/short-lived');
    expect((await call(admin, 'DELETE', `/tokens/${body.id}`)).status).toBe(200);
    expect((await save(body.token, '/views/late')).status).toBe(401);
  });

  it('is written only by whoever knows what it is, if that is asked for', async () => {
    const path = '/views/guarded';
    const absent = { 'If-None-Match': '*' };
    const created = await Promise.all(
      Array.from({ length: 8 }, (_, n) => save(reader, path, { query: `text=${n}` }, absent)),
    );
    expect(created.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(412)]);
    const { etag } = (await call(reader, 'GET', path)).headers;
    const changed = await Promise.all(
      Array.from({ length: 8 }, (_, n) => save(reader, path, { query: `sku=${n}` }, { 'If-Match': etag! })),
    );
    expect(changed.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)]);
    expect(changed.find(({ status }) => status === 412)!.body.code).toBe('view_mismatch');
    const stale = await call(reader, 'DELETE', path, undefined, { 'If-Match': etag! });
    expect([stale.status, stale.body.code]).toEqual([412, 'view_mismatch']);
    expect((await save(reader, path, {}, { 'If-Match': 'x' })).body.parameter).toBe('If-Match');
    const { headers } = await call(reader, 'GET', path);
    const unchanged = { 'If-None-Match': headers.etag! };
    expect((await call(reader, 'GET', path, undefined, unchanged)).status).toBe(304);
  });

  it.each<[string, unknown, number, string]>([
    ['/views/x', { station: own, query: 'stat=firing' }, 400, 'invalid_body'],
    ['/views/x', { station: own, query: 'page.size=5' }, 400, 'invalid_body'],
    ['/views/x', { query: `resource_ids=${'x'.repeat(5000)}` }, 400, 'invalid_body'],
    ['/views/x', { query: 'x'.repeat(300_000) }, 413, 'body_too_large'],
    ['/views/x', [], 400, 'invalid_body'],
    ['/views/x', 'state=firing', 415, 'unsupported_media_type'],
    [
      '/views/x',
      { station: own.replace('telemetryStations/t', 'telemetryStations/none') },
      404,
      'station_not_found',
    ],
    ['/views/x', { station: other }, 403, 'forbidden'],
    [
      '/views/x',
      { station: other.replace('telemetryStations/t', 'telemetryStations/none') },
      403,
      'forbidden',
    ],
    ['/views/%00', {}, 400, 'invalid_parameter'],
    ['/views/%ff', {}, 400, 'invalid_parameter'],
    ['/views/%20x', {}, 400, 'invalid_parameter'],
    [`/views/${'x'.repeat(201)}`, {}, 400, 'invalid_parameter'],
    ['/views/', {}, 400, 'invalid_parameter'],
    ['/views/x?query=state=firing', {}, 400, 'unknown_parameter'],
  ])('is not saved at %s with %j', async (path, body, status, code) => {
    const refused = await save(reader, path, body as object);
    expect([refused.status, refused.body.code]).toEqual([status, code]);
    expect(await names(reader)).not.toContain('x');
  });

  it.each(['着火 🦄', "'; DROP TABLE views; --", 'a/b', '%', '../../stations', '__proto__', '<script>'])(
    'may be called %j',
    async (name) => {
      const path = `/views/${encodeURIComponent(name)}`;
      const { status, body } = await save(reader, path);
      expect([status, body.name, body.path]).toEqual([201, name, `/roster/v1${path}`]);
      expect((await call(reader, 'GET', `${path}/resources`)).body.page.total).toBe(2);
      expect((await call(reader, 'DELETE', path)).status).toBe(204);
    },
  );

  it('that is mistyped is answered with the one that was meant', async () => {
    await save(reader, '/views/firing-now');
    await save(admin, '/shared-views/pending');
    const detail = async (path: string) => (await call(reader, 'GET', path)).body.detail;
    expect(await detail('/views/fireing-now')).toBe(
      'there is no view of yours called "fireing-now"; did you mean "firing-now"?',
    );
    expect(await detail('/views/pending/resources')).toBe(
      'there is no view of yours called "pending"; there is /roster/v1/shared-views/pending',
    );
    expect(await detail('/shared-views/pendin')).toContain('did you mean "pending"?');
    expect(await detail('/shared-views/%E6%9C%BA')).toBe('there is no shared view called "机"');
  });

  it('is one of at most 200 of an owner', async () => {
    const many = await make('reader', 'acme/**');
    const saved = await Promise.all(Array.from({ length: 205 }, (_, n) => save(many, `/views/${n}`, {})));
    const refused = saved.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(5);
    expect(refused[0]!.body).toMatchObject({
      code: 'too_many_views',
      detail: expect.stringContaining('200'),
    });
    const page = (await call(many, 'GET', '/views?shared=false&page.offset=198&page.size=5')).body;
    expect([page.views.length, page.page]).toEqual([2, { offset: 198, size: 5, total: 200 }]);
  });
});

describe('a shared view', () => {
  it('is saved by who may administer everything, and seen by all who may read its station', async () => {
    const narrow = await make('admin', 'acme/**');
    const stranger = await make('reader', 'other/**');
    for (const token of [reader, narrow]) {
      expect((await save(token, '/shared-views/on-call')).status).toBe(403);
      expect((await call(token, 'DELETE', '/shared-views/on-call')).status).toBe(403);
    }
    const { status, body } = await save(admin, '/shared-views/on-call');
    expect([status, body]).toMatchObject([201, { shared: true, path: '/roster/v1/shared-views/on-call' }]);
    await save(admin, '/shared-views/all-stations', { query: 'zone=z&state=firing' });
    expect(await names(reader, '?shared=true')).toEqual(['all-stations', 'on-call', 'pending']);
    expect(await names(stranger)).toEqual(['all-stations']);
    for (const path of ['/shared-views/on-call', '/shared-views/on-call/resources']) {
      const refused = await call(stranger, 'GET', path);
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([
        403,
        expect.not.stringContaining('acme'),
      ]);
      expect((await call(reader, 'GET', path)).status).toBe(200);
    }
    const hint = (await call(stranger, 'GET', '/shared-views/on-cal')).body.detail;
    expect(hint).toBe('there is no shared view called "on-cal"');
    expect((await call(admin, 'DELETE', '/shared-views/on-call')).status).toBe(204);
  });

  it.each([
    ['subscription=other', false],
    ['subscription=acme,other', false],
    ['subscription=acme', true],
    ['resource_group=secret&zone=z&station=t', true],
    [`station=${own}`, true],
    [`station=t,${other}`, false],
  ])('of all stations with %s: a reader of some sees it: %s', async (query, isSeen) => {
    await save(admin, '/shared-views/named', { query });
    expect((await names(reader)).includes('named')).toBe(isSeen);
    for (const path of ['/shared-views/named', '/shared-views/named/resources']) {
      expect((await call(reader, 'GET', path)).status).toBe(isSeen ? 200 : 403);
    }
    expect((await save(reader, '/views/named', { query })).status).toBe(isSeen ? 201 : 403);
    expect(await names(admin)).toContain('named');
    await call(admin, 'DELETE', '/shared-views/named');
    await call(reader, 'DELETE', '/views/named');
  });

  it('and one of the same name that is not are two', async () => {
    await save(admin, '/shared-views/twice');
    await save(reader, '/views/twice', { station: own, query: 'state=pending' });
    const { views } = (await call(reader, 'GET', '/views')).body as {
      views: { name: string; shared: boolean }[];
    };
    expect(views.filter(({ name }) => name === 'twice').map(({ shared }) => shared)).toEqual([false, true]);
    expect(views.map(({ shared }) => shared)).toEqual(views.map(({ shared }) => shared).toSorted());
  });
});

describe('running a view', () => {
  it('answers what its search answers, page by page and word for word', async () => {
    await save(reader, '/views/run', {
      station: own,
      query: 'state=firing&facets=label.rack&order_by=-name',
    });
    // The third time from a kept page.
    for (const page of ['', 'page.size=1', 'page.size=1', 'page.size=1', 'page.offset=1&page.total=2']) {
      const run = await call(reader, 'GET', `/views/run/resources?${page}`);
      const search = await call(
        reader,
        'GET',
        `/${own}/resources?state=firing&facets=label.rack&order_by=-name&${page}`,
      );
      expect([run.status, run.body]).toEqual([200, search.body]);
      expect(run.headers['roster-revision']).toBe(search.headers['roster-revision']);
      expect(run.headers['cache-control']).toBe('private, no-cache');
    }
    const head = await call(reader, 'HEAD', '/views/run/resources');
    expect([head.status, head.body]).toEqual([200, undefined]);
  });

  it('takes no more filters', async () => {
    await save(reader, '/views/fixed');
    for (const more of [
      'state=pending',
      'text=a',
      'label.rack=r1',
      'order_by=name',
      'facets=state',
      'zone=z',
    ]) {
      const { status, body } = await call(reader, 'GET', `/views/fixed/resources?${more}`);
      expect([status, body.parameter]).toEqual([400, more.split('=')[0]]);
      expect(body.detail).toContain('is up to the view; only page.offset and page.size can be given');
    }
    expect((await call(reader, 'GET', '/views/fixed/resources?page.size=x')).body.parameter).toBe(
      'page.size',
    );
    expect((await call(reader, 'GET', '/views/fixed/resources?x=1')).body.code).toBe('unknown_parameter');
  });

  it('is revalidated until the station or the view changes, and can be pinned', async () => {
    const path = '/views/cached/resources';
    const run = (headers: Record<string, string> = {}) => call(reader, 'GET', path, undefined, headers);
    await save(reader, '/views/cached');
    const first = await run();
    expect((await run({ 'If-None-Match': first.headers.etag! })).status).toBe(304);
    await save(reader, '/views/cached', { station: own, query: 'state=pending' });
    const second = await run({ 'If-None-Match': first.headers.etag! });
    expect([second.status, second.body.page.total]).toEqual([200, 1]);
    const pin = { 'Roster-Revision': second.headers['roster-revision'] as string };
    await call(admin, 'POST', `/${own}/resources`, [record('d', { state: 'ALERTSTATE_PENDING' })]);
    expect((await run({ 'If-None-Match': second.headers.etag! })).body.page.total).toBe(2);
    expect((await run(pin)).body.page.total).toBe(1);
    await call(admin, 'DELETE', `/${own}/resources/d`);
  });

  it('keeps the answers of owners apart whose views have the same name', async () => {
    await save(reader, '/views/same', { station: own, query: 'state=firing' });
    await save(colleague, '/views/same', { station: own, query: 'state=pending' });
    for (let time = 0; time < 4; time++) {
      for (const [token, total] of [
        [reader, 2],
        [colleague, 1],
      ] as const) {
        expect((await call(token, 'GET', '/views/same/resources')).body.page.total).toBe(total);
      }
    }
  });

  it('of all stations answers what the search of all stations does, within the scopes of each caller', async () => {
    await save(admin, '/shared-views/everywhere', { query: 'state=firing&facets=station' });
    const wide = await make('reader', '**');
    for (const [token, total] of [
      [reader, 2],
      [wide, 4],
    ] as const) {
      const run = await call(token, 'GET', '/shared-views/everywhere/resources?page.size=1');
      const search = await call(token, 'GET', '/resources?state=firing&facets=station&page.size=1');
      expect([run.status, run.body, run.body.page.total]).toEqual([200, search.body, total]);
      const unchanged = { 'If-None-Match': run.headers.etag! };
      const path = '/shared-views/everywhere/resources?page.size=1';
      expect((await call(token, 'GET', path, undefined, unchanged)).status).toBe(304);
    }
    await call(admin, 'DELETE', '/shared-views/everywhere');
  });

  it('finds no station that is gone', async () => {
    const gone = own.replace('telemetryStations/t', 'telemetryStations/gone');
    await call(admin, 'PUT', `/${gone}`);
    await save(reader, '/views/gone', { station: gone });
    await call(admin, 'DELETE', `/${gone}`);
    const { status, body } = await call(reader, 'GET', '/views/gone/resources');
    expect([status, body.code]).toEqual([404, 'station_not_found']);
    expect((await call(reader, 'GET', '/views/gone')).status).toBe(200);
  });
});

describe('where authentication is off', () => {
  it('everyone has the same views, and may share them', async () => {
    await using open = await TestServer.start();
    const body = { station: null, query: 'state=firing' };
    for (const path of ['/roster/v1/views/a', '/roster/v1/shared-views/b']) {
      expect((await ask(open.url, { method: 'PUT', path, body })).status).toBe(201);
    }
    const { views } = JSON.parse((await ask(open.url, { path: '/roster/v1/views' })).body);
    expect(views).toMatchObject([
      { name: 'a', shared: false, changed_by: 'anonymous' },
      { name: 'b', shared: true },
    ]);
  });
});
