import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { record, TestServer } from '../../testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start();
});
beforeEach(async () => {
  await server.empty();
  await server.createStation();
});

afterAll(() => server[Symbol.asyncDispose]());

const many = (count: number, given: object = {}) =>
  Array.from({ length: count }, (_, at) => record(`r-${String(at).padStart(3, '0')}`, given));

function send(query: string, records: object[], headers: Record<string, string> = {}): Promise<Response> {
  return server.manage(`/resources?${query}`, {
    method: 'POST',
    body: JSON.stringify(records),
    headers: { 'Content-Type': 'application/json', ...headers },
  });
}

describe('a dry run', () => {
  it('tells what would change, field by field, and changes nothing', async () => {
    const written = await send('', [record('a'), record('b'), record('c')]);
    const revision = written.headers.get('roster-revision');
    const plan = await send('dry_run=true', [
      record('a', { state: 'ALERTSTATE_FIRING', sku: '8 GPU' }),
      record('b'),
      record('d', { resource_type: 'resource_type.test.unseen' }),
    ]);
    expect(plan.headers.get('roster-revision')).toBe(revision);
    expect(await plan.json()).toMatchObject({
      dry_run: true,
      revision,
      created: 1,
      updated: 1,
      unchanged: 1,
      removed: 0,
      new_types: ['resource_type.test.unseen'],
      refusal: null,
      total_changes: 2,
      changes: [
        {
          line: 1,
          change: 'updated',
          resource_id: 'a',
          fields: {
            state: { before: 'ALERTSTATE_INACTIVE', after: 'ALERTSTATE_FIRING' },
            sku: { before: '', after: '8 GPU' },
          },
        },
        { change: 'created', resource_id: 'd', resource: { resource_type: { label: 'Test unseen' } } },
      ],
    });
    expect(await server.ids()).toEqual(['a', 'b', 'c']);
    expect((await server.list()).headers.get('roster-revision')).toBe(revision);
    const types = await fetch(`${server.url}/roster/v1/resource-types/resource_type.test.unseen`);
    expect(types.status).toBe(404);
  });

  it('of a replace names what would go', async () => {
    await send('', [record('a'), record('b'), record('c')]);
    const plan = await send('dry_run=true&mode=replace', [record('b')]);
    expect(await plan.json()).toMatchObject({
      unchanged: 1,
      removed: 2,
      total_changes: 2,
      changes: [
        { change: 'removed', resource_id: 'a' },
        { change: 'removed', resource_id: 'c' },
      ],
    });
    expect(await server.ids()).toEqual(['a', 'b', 'c']);
  });

  it('shows as many changes as asked for, and always the true total', async () => {
    const plan = await send('dry_run=true&max_changes=2', many(150));
    expect(await plan.json()).toMatchObject({ created: 150, total_changes: 150, changes: [{}, {}] });
    const counts = (await (await send('dry_run=true&max_changes=0', many(150))).json()) as {
      changes: object[];
    };
    expect(counts.changes).toEqual([]);
    const usual = (await (await send('dry_run=true', many(150))).json()) as { changes: object[] };
    expect(usual.changes).toHaveLength(100);
  });

  it('reports faults as the write would', async () => {
    const plan = await send('dry_run=true', [record('a', { state: 'on' }), record('b'), record('b')]);
    expect([plan.status, await plan.json()]).toMatchObject([
      422,
      { code: 'invalid_records', fault_count: 2 },
    ]);
  });

  it('applies exactly as planned with If-Match, or not at all', async () => {
    await send('', [record('a')]);
    const plan = (await (await send('dry_run=true', [record('b')])).json()) as { revision: string };
    await send('', [record('c')]);
    const late = await send('', [record('b')], { 'If-Match': `"${plan.revision}"` });
    expect([late.status, await late.json()]).toMatchObject([412, { code: 'revision_mismatch' }]);
    expect(await server.ids()).toEqual(['a', 'c']);
    const again = (await (await send('dry_run=true', [record('b')])).json()) as { revision: string };
    const applied = await send('', [record('b')], { 'If-Match': `"${again.revision}"` });
    expect(applied.status).toBe(200);
  });
});

describe('a replace', () => {
  it('makes the station exactly the given set, in one revision', async () => {
    await send('', [record('a', { sku: '1 x' }), record('b'), record('c')]);
    const response = await send('mode=replace', [record('a'), record('d', { name: 'name-c' })]);
    expect(await response.json()).toMatchObject({ created: 1, updated: 0, unchanged: 1, removed: 2 });
    expect(await server.listed()).toMatchObject({
      resources: [{ resource_id: 'a', sku: '1 x' }, { resource_id: 'd' }],
    });
    const nothing = await send('mode=replace', [record('a'), record('d', { name: 'name-c' })]);
    expect(nothing.headers.get('roster-revision')).toBe(response.headers.get('roster-revision'));
  });

  it('that would remove more than half of a station is refused unless that is meant', async () => {
    await send('', many(30));
    const refused = await send('mode=replace', many(14));
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: 'removal_refused', parameter: 'allow_removal', removed: 16, resources: 30 },
    ]);
    const plan = await send('mode=replace&dry_run=true', many(14));
    expect([plan.status, await plan.json()]).toMatchObject([
      200,
      { removed: 16, refusal: { code: 'removal_refused' } },
    ]);
    expect((await send('mode=replace&allow_removal=15', many(14))).status).toBe(409);
    expect((await server.listed('page.size=0')).page?.total).toBe(30);
    expect((await send('mode=replace&allow_removal=16', many(14))).status).toBe(200);
    expect((await send('mode=replace', many(1))).status).toBe(200);
    expect((await send('mode=replace', [])).status).toBe(409);
    expect((await send('mode=replace&dry_run', many(1))).status).toBe(400);
    expect(await server.ids()).toEqual(['r-000']);
  });

  it('may empty a large station when all may go', async () => {
    await send('', many(30));
    expect((await send('mode=replace', [])).status).toBe(409);
    expect(await (await send('mode=replace&allow_removal=all', [])).json()).toMatchObject({ removed: 30 });
  });
});

describe('a conditional write', () => {
  it('of one resource away happens only at the given revision', async () => {
    await send('', [record('a'), record('b')]);
    const revision = (await server.list()).headers.get('roster-revision')!;
    const remove = (id: string) =>
      server.manage(`/resources/${id}`, { method: 'DELETE', headers: { 'If-Match': `"${revision}"` } });
    expect((await remove('a')).status).toBe(200);
    expect((await remove('b')).status).toBe(412);
    expect(await server.ids()).toEqual(['b']);
  });

  it('with a malformed condition is refused', async () => {
    const response = await send('', [record('a')], { 'If-Match': 'yesterday' });
    expect([response.status, await response.json()]).toMatchObject([400, { parameter: 'If-Match' }]);
  });
});
