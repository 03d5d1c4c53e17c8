import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { record, TestServer } from '../../testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start();
  await server.createStation();
  await server.write(
    record('gpu-7f3', {
      display_name: 'Node 7F3',
      product: 'product.gpu',
      gpu_model: 'H100',
      alert_rules_count: 3,
      state: 'ALERTSTATE_FIRING',
      state_since: '2026-01-03T00:00:00Z',
      create_time: '2026-01-01T00:00:00Z',
      labels: { rack: 'r1', owner: 'search' },
    }),
    record('gpu-2', {
      display_name: 'node é',
      product: 'product.gpu',
      gpu_model: 'A100',
      state: 'ALERTSTATE_PENDING',
      state_since: '2026-01-02T00:00:00Z',
      create_time: '2026-01-02T00:00:00Z',
      labels: 'rack=r2',
    }),
    record('vol-1', {
      display_name: 'volume',
      sku: '8 GPU, 2 TB',
      resource_type: { key: 'resource_type.storage.volume', label: 'Volume' },
      alertable: false,
      state_since: '2026-01-01T00:00:00Z',
      create_time: '2026-01-03T00:00:00Z',
    }),
  );
});

afterAll(() => server[Symbol.asyncDispose]());

interface SearchBody {
  readonly resources: Record<string, unknown>[];
  readonly page: { readonly total: number };
  readonly facets: Record<
    string,
    { values: { value: string; count: number }[]; other_values: number }
  > | null;
  readonly hints: string[];
}

const search = (query = '', init: RequestInit = {}) => server.manage(`/resources?${query}`, init);
const found = async (query = '') => (await (await search(query)).json()) as SearchBody;
const ids = async (query = '') => (await found(query)).resources.map((resource) => resource.resource_id);

describe('a search', () => {
  it.each([
    ['', ['gpu-7f3', 'gpu-2', 'vol-1']],
    ['state=firing', ['gpu-7f3']],
    ['state=ALERTSTATE_FIRING,pending', ['gpu-7f3', 'gpu-2']],
    ['covered=false', ['gpu-2']],
    ['covered=true', ['gpu-7f3']],
    ['alertable=false', ['vol-1']],
    ['text=NODE', ['gpu-7f3', 'gpu-2']],
    ['text=7f3', ['gpu-7f3']],
    ['text=E', ['gpu-7f3', 'gpu-2', 'vol-1']],
    ['text=node+e', ['gpu-2']],
    ['gpu_model=H100,A100', ['gpu-7f3', 'gpu-2']],
    ['sku=8 GPU, 2 TB', ['vol-1']],
    ['label.rack=r1,r2', ['gpu-7f3', 'gpu-2']],
    ['label.rack=r1&label.owner=search', ['gpu-7f3']],
    ['label.rack=r2&label.owner=search', []],
    ['created_after=2026-01-02T00:00:00Z', ['gpu-2', 'vol-1']],
    ['created_before=2026-01-02T00:00:00Z', ['gpu-7f3']],
    ['state_since_after=2026-01-02T00:00:00Z&state_since_before=2026-01-03T00:00:00Z', ['gpu-2']],
    ['resource_type=resource_type.storage.volume', ['vol-1']],
    ['resource_ids=vol-1,gpu-2&state=pending', ['gpu-2']],
    ['order_by=-state_since', ['gpu-7f3', 'gpu-2', 'vol-1']],
    ['order_by=state_since', ['vol-1', 'gpu-2', 'gpu-7f3']],
    ['order_by=state', ['gpu-7f3', 'gpu-2', 'vol-1']],
    ['order_by=-create_time&page.size=1', ['vol-1']],
    ['order_by=-create_time&page.size=1&page.offset=1', ['gpu-2']],
    ['order_by=-resource_type', ['vol-1', 'gpu-7f3', 'gpu-2']],
  ])('finds %s', async (query, expected) => {
    // The third time from a kept page.
    for (let time = 0; time < 3; time++) expect(await ids(query)).toEqual(expected);
  });

  it('answers whole records, the exact total, and the values of facets under the other filters', async () => {
    const body = await found('state=firing&page.size=1&facets=state,covered,label.rack,gpu_model');
    expect(body).toEqual({
      resources: [
        {
          resource_type: { key: 'resource_type.compute.vm', label: 'Compute vm' },
          resource_id: 'gpu-7f3',
          create_time: '2026-01-01T00:00:00.000Z',
          sku: '',
          state: 'ALERTSTATE_FIRING',
          display_name: 'Node 7F3',
          alert_rules_count: 3,
          name: 'name-gpu-7f3',
          gpu_model: 'H100',
          product: 'product.gpu',
          alertable: true,
          state_since: '2026-01-03T00:00:00.000Z',
          labels: { owner: 'search', rack: 'r1' },
        },
      ],
      page: { offset: 0, size: 1, total: 1 },
      facets: {
        state: {
          values: [
            { value: 'ALERTSTATE_FIRING', count: 1 },
            { value: 'ALERTSTATE_INACTIVE', count: 1 },
            { value: 'ALERTSTATE_PENDING', count: 1 },
          ],
          other_values: 0,
        },
        covered: { values: [{ value: 'true', count: 1 }], other_values: 0 },
        'label.rack': { values: [{ value: 'r1', count: 1 }], other_values: 0 },
        gpu_model: { values: [{ value: 'H100', count: 1 }], other_values: 0 },
      },
      hints: [],
    });
  });

  it('hints at what may have been meant', async () => {
    const { hints, page } = await found(
      'resource_type=resource_type.compute.vn&product=product.gpus&label.rak=r1&gpu_model=H10',
    );
    expect(page.total).toBe(0);
    expect(hints).toEqual([
      'nothing in the station has the resource_type "resource_type.compute.vn"; did you mean "resource_type.compute.vm"?',
      'nothing in the station has the product "product.gpus"; did you mean "product.gpu"?',
      'nothing in the station has the label key "rak"; did you mean "rack"?',
      'nothing in the station has the gpu_model "H10"; did you mean "H100"?',
    ]);
    expect((await found('state=on,pendin')).hints).toEqual([
      'nothing in the station has the state "ALERTSTATE_ON"',
      'nothing in the station has the state "ALERTSTATE_PENDIN"; did you mean "ALERTSTATE_PENDING"?',
    ]);
  });

  it('is revalidated, pinned and asked with HEAD like the list', async () => {
    const first = await search('state=firing');
    const etag = first.headers.get('etag')!;
    const revision = first.headers.get('roster-revision')!;
    expect((await search('state=firing', { headers: { 'If-None-Match': etag } })).status).toBe(304);
    const head = await search('state=firing', { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String((await first.text()).length));
    await server.write(record('gpu-2', { state: 'ALERTSTATE_FIRING' }));
    expect(await ids('state=firing')).toEqual(['gpu-7f3', 'gpu-2']);
    const pinned = await search('state=firing', { headers: { 'Roster-Revision': revision } });
    expect(((await pinned.json()) as SearchBody).page.total).toBe(1);
    await server.write(record('gpu-2', { state: 'ALERTSTATE_PENDING', state_since: '2026-01-02T00:00:00Z' }));
  });

  it.each([
    ['stat=firing', 'did you mean "state"?'],
    ['state=fir%20ing', 'state must be states such as firing'],
    ['covered=maybe', 'covered must be true or false'],
    ['order_by=age', 'order_by must be one of display_name, name, state'],
    ['order_by=--state', 'order_by must be one of'],
    ['facets=colour', 'facets must be some of state'],
    ['label.=x', 'the label key ""'],
    ['label.a%20b=x', 'the label key "a b"'],
    ['created_after=yesterday', 'created_after must be an RFC 3339 time'],
    ['created_after=2026-01-01T00:00:00', 'must have a time zone'],
    [`text=${'x'.repeat(201)}`, 'text may have at most 200 characters'],
    ['text=%CC%81', 'text must have a letter, digit or sign'],
    ['text=a%0Ab', 'text must not contain control characters'],
    ['page.size=1001', 'page.size must be a whole number between 0 and 1000'],
    ['state=firing&state_since_after=', ''],
  ])('refuses %s', async (query, message) => {
    const response = await search(query);
    if (message === '') return expect(response.status).toBe(200);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { detail: string }).detail).toContain(message);
  });

  it('hints in a header of the documented list too, in ASCII', async () => {
    const query = 'resource_type=resource_type.compute.vn&product=%E8%8A%82&page.size=1';
    for (let time = 0; time < 3; time++) {
      const response = await server.list(query);
      expect(response.headers.get('roster-hint')).toBe(
        'nothing in the station has the resource_type "resource_type.compute.vn"; ' +
          'did you mean "resource_type.compute.vm"?, nothing in the station has the product "\\u8282"',
      );
    }
    expect((await server.list('product=product.gpu&page.size=1')).headers.has('roster-hint')).toBe(false);
    const whole = await server.list('resource_type=resource_type.compute.vn');
    expect(whole.headers.get('roster-hint')).toContain('did you mean "resource_type.compute.vm"?');
    expect(await whole.json()).toEqual({ resources: [], page: null });
  });

  it('turns an owner away who has too many at once, and answers lists meanwhile', async () => {
    const texts = Array.from({ length: 400 }, (_, at) => `text=t${at}`);
    const answers = Promise.all(texts.map((query) => search(query)));
    expect((await server.list('page.size=1')).status).toBe(200);
    const statuses = (await answers).map(({ status }) => status);
    expect(new Set(statuses).difference(new Set([200, 503]))).toEqual(new Set());
    expect(statuses).toContain(200);
    for (const response of await answers) {
      if (response.status === 503) expect(response.headers.has('retry-after')).toBe(true);
    }
    expect((await search('text=again')).status).toBe(200);
  });

  it('filters summaries and exports alike', async () => {
    const summary = await (await server.manage('/summary?label.rack=r1&state=firing')).json();
    expect(summary).toMatchObject({ total: 1, states: { ALERTSTATE_FIRING: 1 } });
    expect(await (await server.manage('/summary?state=pending')).json()).toMatchObject({ total: 1 });
    const exported = await (await server.manage('/export?text=node&format=csv')).text();
    expect(exported.split('\r\n')).toEqual([
      expect.stringMatching(/,create_time,state_since,labels$/),
      expect.stringMatching(/^gpu-7f3,.*,2026-01-03T00:00:00.000Z,owner=search;rack=r1$/),
      expect.stringMatching(/^gpu-2,.*,rack=r2$/),
      '',
    ]);
  });
});
