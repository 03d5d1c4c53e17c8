import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { longOnly } from '../../../../../testing/scale.ts';
import { record, TestServer } from '../../testing/test-server.ts';

interface ChangesBody {
  readonly changes: {
    readonly revision: string;
    readonly change: string;
    readonly resource_id: string;
    readonly changed_at: string;
    readonly changed_by?: string;
    readonly match?: string;
  }[];
  readonly next: string;
  readonly has_more: boolean;
}

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start();
});
beforeEach(async () => {
  await server.empty();
  await server.createStation();
});

afterAll(() => server[Symbol.asyncDispose]());

const changes = async (query: string) =>
  (await (await server.manage(`/changes?${query}`)).json()) as ChangesBody;
const brief = ({ changes: list }: ChangesBody) =>
  list.map(({ change, resource_id }) => `${change} ${resource_id}`);
const revision = async () => (await server.list()).headers.get('roster-revision')!;

describe('the changes of a station', () => {
  it('come in order, each once, also those that later ones overtook', async () => {
    const start = await revision();
    await server.write(record('a'), record('b'));
    await server.write(record('a', { state: 'ALERTSTATE_FIRING' }));
    await server.manage('/resources/a', { method: 'DELETE' });
    const body = await changes(`since=${start}`);
    expect(brief(body)).toEqual(['created a', 'created b', 'updated a', 'removed a']);
    expect(body.changes[2]).toMatchObject({
      fields: { state: { before: 'ALERTSTATE_INACTIVE', after: 'ALERTSTATE_FIRING' } },
      resource: { state: 'ALERTSTATE_FIRING' },
    });
    expect(body).toMatchObject({
      next: await revision(),
      has_more: false,
      history_from: { revision: start, time: expect.stringMatching(/^2.*Z$/) },
    });
    expect(brief(await changes(`since=${body.next}`))).toEqual([]);
    expect(brief(await changes(''))).toEqual(brief(body));
  });

  it('name who made them: a token by its name and id', async () => {
    await server.write(record('a'));
    expect((await changes('')).changes[0]!.changed_by).toBe('anonymous');
    await using guarded = await TestServer.start({ ROSTER_AUTH: 'on' });
    const headers = { Authorization: `Bearer ${guarded.firstToken}`, 'Content-Type': 'application/json' };
    await guarded.manage('', { method: 'PUT', headers });
    const write = (method: string, path: string, body: object | undefined) =>
      guarded.manage(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    await write('POST', '/resources', [record('a')]);
    await write('PATCH', '/resources', [{ resource_id: 'a', state: 'ALERTSTATE_FIRING' }]);
    const read = await guarded.manage('/resources/a', { headers });
    await write('DELETE', '/resources/a', undefined);
    const body = (await (await guarded.manage('/changes', { headers })).json()) as ChangesBody;
    const writers = body.changes.map(({ changed_by }) => changed_by);
    expect(writers).toEqual(Array(3).fill(expect.stringMatching(/^.+ \(tok_[0-9a-z]{12}\)$/)));
    expect(await read.json()).toMatchObject({ changed_by: writers[1] });
  });

  it('can be those between two times, or those of the state alone', async () => {
    const firing = { state: 'ALERTSTATE_FIRING' };
    await server.write(record('a'), record('b', firing));
    await delay(5);
    await server.write(record('a', firing), record('b', { sku: '1 x' }));
    await delay(5);
    await server.manage('/resources/b', { method: 'DELETE' });
    const { changes: all } = await changes('');
    const times = [...new Set(all.map(({ changed_at: time }) => time))];
    expect(times).toHaveLength(3);
    const within = async (query: string) => brief(await changes(query));
    expect(await within(`changed_after=${times[1]}`)).toEqual(['updated a', 'updated b', 'removed b']);
    expect(await within(`changed_before=${times[1]}`)).toEqual(['created a', 'created b']);
    expect(await within(`changed_after=${times[1]}&changed_before=${times[2]}&page.size=1`)).toEqual([
      'updated a',
    ]);
    expect(await within('state_changes=true')).toEqual(['created b', 'updated a', 'removed b']);
    expect(await within(`state_changes=true&state=firing&changed_after=${times[1]}`)).toEqual([
      'updated a',
      'removed b',
    ]);
    const paged: string[] = [];
    for (let query = '', hasMore = true; hasMore; ) {
      const page = await changes(`state_changes=true&changed_before=${times[2]}&page.size=1${query}`);
      paged.push(...brief(page));
      [query, hasMore] = [`&since=${page.next}`, page.has_more];
    }
    expect(paged).toEqual(['created b', 'updated a']);
    for (const wrong of ['changed_after=yesterday', 'state_changes=2', 'changed_since=1']) {
      expect((await server.manage(`/changes?${wrong}`)).status).toBe(400);
    }
  });

  it('show with filters what enters, stays and leaves', async () => {
    const start = await revision();
    await server.write(record('x', { labels: { rack: 'r1' } }), record('y', { labels: { rack: 'r2' } }));
    await server.write(
      record('x', { state: 'ALERTSTATE_FIRING' }),
      record('y', { state: 'ALERTSTATE_FIRING' }),
    );
    await server.write(record('x', { sku: '1 x' }));
    await server.write(record('x', { state: 'ALERTSTATE_INACTIVE' }));
    await server.manage('/resources/y', { method: 'DELETE' });
    const seen = async (filters: string) => {
      const body = await changes(`since=${start}&${filters}`);
      return body.changes.map(({ resource_id: id, match }) => `${id} ${match}`);
    };
    expect(await seen('state=firing')).toEqual(['x entered', 'y entered', 'x stayed', 'x left', 'y left']);
    expect(await seen('state=firing&label.rack=r1')).toEqual(['x entered', 'x stayed', 'x left']);
    expect(await seen('text=X&state=inactive')).toEqual(['x entered', 'x left', 'x entered']);
    expect(await seen('state=pending')).toEqual([]);
    const paged: string[] = [];
    for (let since = start, hasMore = true; hasMore; ) {
      const page = await changes(`since=${since}&state=firing&page.size=2`);
      expect(page.changes.length).toBeLessThanOrEqual(2);
      paged.push(...page.changes.map(({ resource_id: id, match }) => `${id} ${match}`));
      [since, hasMore] = [page.next, page.has_more];
    }
    expect(paged).toEqual(['x entered', 'y entered', 'x stayed', 'x left', 'y left']);
    expect((await server.manage('/changes?stat=firing')).status).toBe(400);
    expect((await changes(`since=${start}&state=pending&page.size=1`)).has_more).toBe(false);
  });

  it('can be read in small pages, within a revision too', async () => {
    await server.write(...Array.from({ length: 7 }, (_, at) => record(`r${at}`)));
    await server.write(record('r0', { sku: '1 x' }));
    const seen: string[] = [];
    let page = await changes('page.size=3');
    for (;;) {
      seen.push(...brief(page));
      if (!page.has_more) break;
      page = await changes(`page.size=3&since=${page.next}`);
    }
    expect(seen).toEqual([...Array.from({ length: 7 }, (_, at) => `created r${at}`), 'updated r0']);
    expect(page.next).toBe(await revision());
  });

  longOnly(it)('fill large pages, which the store is asked for in parts', async () => {
    const ids = Array.from({ length: 1_200 }, (_, at) => `r${String(at).padStart(4, '0')}`);
    await server.write(...ids.map((id) => record(id)));
    const first = await changes('page.size=1000');
    expect(first).toMatchObject({ changes: { length: 1_000 }, has_more: true });
    const rest = await changes(`page.size=1000&since=${first.next}`);
    expect(rest).toMatchObject({ next: await revision(), has_more: false });
    expect([...brief(first), ...brief(rest)]).toEqual(ids.map((id) => `created ${id}`));
    expect(await changes('page.size=0')).toMatchObject({ changes: [], has_more: true });
  });

  it('can be those of one resource', async () => {
    await server.write(record('a'), record('b'));
    await server.write(record('a', { sku: '1 x' }), record('b', { sku: '2 x' }));
    expect(brief(await changes('resource_id=b'))).toEqual(['created b', 'updated b']);
    expect(brief(await changes('resource_id=nobody'))).toEqual([]);
  });

  it('from a revision that is not known are gone, in other words than a malformed one', async () => {
    const [epoch] = (await revision()).split('.');
    for (const since of ['other.0', `${epoch}.9`]) {
      const response = await server.manage(`/changes?since=${since}`);
      expect([response.status, await response.json()]).toMatchObject([410, { code: 'revision_expired' }]);
    }
    const malformed = await server.manage('/changes?since=yesterday');
    expect([malformed.status, await malformed.json()]).toMatchObject([400, { parameter: 'since' }]);
  });
});

describe('one resource', () => {
  it('is read with everything that is stored of it', async () => {
    await server.write(record('a/ü', { product: 'product.p', alertable: false }));
    await server.write(record('b'));
    const read = await server.manage(`/resources/${encodeURIComponent('a/ü')}`);
    const body = (await read.json()) as { revision: string; changed_at: string };
    expect(body).toMatchObject({ resource_id: 'a/ü', product: 'product.p', alertable: false });
    expect(body.revision).toMatch(/\.1$/);
    expect(Math.abs(Date.now() - Date.parse(body.changed_at))).toBeLessThan(60_000);
    const missing = await server.manage('/resources/none');
    expect([missing.status, await missing.json()]).toMatchObject([404, { code: 'resource_not_found' }]);
  });
});
