import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { record, TestServer } from '../../testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start();
  await server.createStation();
  await server.write(
    record('gpu-1', { product: 'product.gpu', alert_rules_count: 3, state: 'ALERTSTATE_FIRING' }),
    record('gpu-2', { product: 'product.gpu' }),
    record('vol-1', {
      resource_type: { key: 'resource_type.storage.volume', label: 'Volume' },
      alertable: false,
    }),
  );
});

afterAll(() => server[Symbol.asyncDispose]());

const summary = (query = '', init: RequestInit = {}) => server.manage(`/summary?${query}`, init);

describe('the summary of a station', () => {
  it('counts by state, type and product, and what has no alert rules', async () => {
    expect(await (await summary()).json()).toEqual({
      total: 3,
      alertable: 2,
      covered: 1,
      uncovered: 1,
      states: { ALERTSTATE_FIRING: 1, ALERTSTATE_INACTIVE: 2 },
      types: [
        {
          key: 'resource_type.compute.vm',
          label: 'Compute vm',
          total: 2,
          alertable: 2,
          covered: 1,
          uncovered: 1,
          states: { ALERTSTATE_FIRING: 1, ALERTSTATE_INACTIVE: 1 },
        },
        {
          key: 'resource_type.storage.volume',
          label: 'Volume',
          total: 1,
          alertable: 0,
          covered: 0,
          uncovered: 0,
          states: { ALERTSTATE_INACTIVE: 1 },
        },
      ],
      products: [
        { product: '', total: 1, alertable: 0, covered: 0, uncovered: 0, states: { ALERTSTATE_INACTIVE: 1 } },
        {
          product: 'product.gpu',
          total: 2,
          alertable: 2,
          covered: 1,
          uncovered: 1,
          states: { ALERTSTATE_FIRING: 1, ALERTSTATE_INACTIVE: 1 },
        },
      ],
    });
  });

  it('takes the filters of the list', async () => {
    const total = async (query: string) => ((await (await summary(query)).json()) as { total: number }).total;
    for (const query of [
      'resource_type=resource_type.compute.vm',
      'product=product.gpu',
      'enabled_alert=true',
      'resource_display_name_prefix=name-gpu',
      'resource_ids=gpu-1,vol-1,none',
      'resource_types=resource_type.storage.volume,resource_type.none',
    ]) {
      expect([query, await total(query)]).toEqual([
        query,
        (await server.listed(`${query}&page.size=0`)).page?.total,
      ]);
    }
    expect((await summary('resource_typ=x')).status).toBe(400);
  });

  it('is conditional and can be pinned like a list', async () => {
    const first = await summary();
    const etag = first.headers.get('etag')!;
    const revision = first.headers.get('roster-revision')!;
    expect((await summary('', { headers: { 'If-None-Match': etag } })).status).toBe(304);
    await server.write(record('gpu-3'));
    const changed = await summary('', { headers: { 'If-None-Match': etag } });
    expect([changed.status, await changed.json()]).toMatchObject([200, { total: 4 }]);
    const pinned = await summary('', { headers: { 'Roster-Revision': revision } });
    expect(await pinned.json()).toMatchObject({ total: 3 });
  });
});
