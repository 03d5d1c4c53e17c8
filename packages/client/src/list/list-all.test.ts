import { describe, expect, it } from 'vitest';
import { resource } from '../../../../testing/resource.ts';
import { createClient } from '../client.ts';
import { isRevisionExpired } from '../guards.ts';
import type { Filters } from '../query/list-query.ts';
import { type AnswerPage, resources, startListServer } from '../testing/list-server.ts';
import { sendJson, startLocalServer } from '../testing/local-server.ts';
import type { ListAllOptions } from './listing.ts';

const all = resources(250);
const ids = (list: readonly { resource_id?: unknown }[]) => list.map((each) => each.resource_id);
const page = (offset: number, size: number, total = all.length) => ({ offset, size, total });

async function listAll(answerPage: AnswerPage, options: ListAllOptions = {}, filters: Filters = {}) {
  const server = await startListServer(answerPage);
  const listing = createClient({ baseUrl: server.url }).station('a/b/c/d').listAll(filters, options);
  const found = [];
  for await (const each of listing) found.push(each);
  const asked = server.requests.map(({ url }) => Number(url.searchParams.get('page.offset')));
  return { found, asked, listing, kinds: listing.notices.map(({ kind }) => kind), ...server };
}

describe('listAll', () => {
  it('reads all pages without a superfluous request', async () => {
    const { found, asked, kinds, listing } = await listAll(
      ({ offset, size }) => ({ resources: all.slice(offset, offset + size), page: page(offset, size) }),
      { pageSize: 100 },
    );
    expect(ids(found)).toEqual(ids(all));
    expect(asked).toEqual([0, 100, 200]);
    expect(kinds).toEqual([]);
    expect(listing.total).toBe(250);
  });

  it('makes sure when a full page reaches the total, which may be that of the page', async () => {
    const { found, asked, kinds } = await listAll(
      ({ offset }) => {
        const part = all.slice(offset, offset + 50);
        return { resources: part, page: page(offset, 50, part.length) };
      },
      { pageSize: 50 },
    );
    expect(ids(found)).toEqual(ids(all));
    expect(asked).toEqual([0, 50, 100, 150, 200, 250]);
    expect(kinds).toEqual(['total_changed', 'count_differs']);
  });

  it('continues after short pages', async () => {
    const clamped: AnswerPage = ({ offset }) => ({
      resources: all.slice(offset, offset + 30),
      page: page(offset, 30),
    });
    const { found, asked } = await listAll(clamped);
    expect(ids(found)).toEqual(ids(all));
    expect(asked).toEqual([0, 30, 60, 90, 120, 150, 180, 210, 240]);
  });

  it.each([
    ['null', { page: null }],
    ['absent', {}],
    ['without a total', { page: { offset: 0, size: 100 } }],
  ])('pages on while there is something when the page is %s', async (_, rest) => {
    const { found, asked, kinds } = await listAll(
      ({ offset }) => ({ resources: all.slice(offset, offset + 100), ...rest }),
      { pageSize: 100 },
    );
    expect(ids(found)).toEqual(ids(all));
    expect(asked).toEqual([0, 100, 200, 250]);
    expect(kinds).toEqual([]);
  });

  it.each([
    ['more than a page', 100, [0]],
    ['less than a page', 1000, [0, 250]],
  ])(
    'takes everything once from a server that never pages, when that is %s',
    async (_, pageSize, offsets) => {
      const { found, asked } = await listAll(() => ({ resources: all, page: null }), { pageSize });
      expect(ids(found)).toEqual(ids(all));
      expect(asked).toEqual(offsets);
    },
  );

  it('copes with a size that is the page number, and with numbers in strings', async () => {
    const { found, kinds } = await listAll(
      ({ offset, size }) => ({
        resources: all.slice(offset, offset + size),
        page: { offset: String(offset), size: offset / size + 1, total: '250' },
      }),
      { pageSize: 100 },
    );
    expect(ids(found)).toEqual(ids(all));
    expect(kinds).toEqual([]);
  });

  it.each([
    ['ignores the offset', () => ({ resources: all.slice(0, 100), page: page(0, 100) })],
    [
      'takes the offset for a page number',
      ({ offset, size }: { offset: number; size: number }) => ({
        resources: all.slice(offset * size, (offset + 1) * size),
        page: page(offset, size),
      }),
    ],
  ])('says that the list is incomplete when the server %s', async (_, answerPage) => {
    const server = await startListServer(answerPage);
    const listing = createClient({ baseUrl: server.url }).station('a/b/c/d').listAll({}, { pageSize: 100 });
    const found: string[] = [];
    await expect(async () => {
      for await (const { resource_id } of listing) found.push(resource_id);
    }).rejects.toMatchObject({
      code: 'incomplete_list',
      message: expect.stringContaining('the server counts 250 resources but sent 100'),
    });
    expect(found).toEqual(ids(all.slice(0, 100)));
    expect(server.requests.length).toBeLessThanOrEqual(3);
  });

  it('reports an ignored offset when the server counts no more resources', async () => {
    const { found, kinds } = await listAll(() => ({ resources: all.slice(0, 100), page: null }), {
      pageSize: 100,
    });
    expect(ids(found)).toEqual(ids(all.slice(0, 100)));
    expect(kinds).toEqual(['offset_ignored']);
  });

  it('skips duplicates while the list changes, and reports them at once', async () => {
    let list = all.slice(0, 200);
    const heard: string[] = [];
    const { found, listing } = await listAll(
      ({ offset, size, number }) => {
        if (number === 2) list = [resource('new-1'), resource('new-2'), ...list];
        return { resources: list.slice(offset, offset + size), page: page(offset, size, list.length) };
      },
      { pageSize: 100, onNotice: ({ kind }) => heard.push(kind) },
    );
    expect(ids(found)).toEqual(ids(all.slice(0, 200)));
    expect(listing.notices).toMatchObject([
      { kind: 'total_changed', offset: 100, before: 200, after: 202 },
      { kind: 'duplicates', offset: 100, resourceIds: ['r98', 'r99'] },
      { kind: 'count_differs', count: 200, total: 202 },
    ]);
    expect(heard).toEqual(listing.notices.map(({ kind }) => kind));
  });

  it('continues after one page without new resources', async () => {
    let list = all.slice(0, 4);
    const { found } = await listAll(
      ({ offset, size, number }) => {
        if (number === 2) list = [resource('new'), ...list];
        return { resources: list.slice(offset, offset + size), page: page(offset, size, list.length) };
      },
      { pageSize: 1 },
    );
    expect(ids(found)).toEqual(['r0', 'r1', 'r2', 'r3']);
  });

  it('gives a resource once that the server holds twice', async () => {
    const list = [...all.slice(0, 10), all[3]!, ...all.slice(10, 20)];
    const { found, kinds } = await listAll(
      ({ offset, size }) => ({ resources: list.slice(offset, offset + size), page: page(offset, size, 21) }),
      { pageSize: 7 },
    );
    expect(ids(found)).toEqual(ids(all.slice(0, 20)));
    expect(kinds).toEqual(['duplicates', 'count_differs']);
  });

  it('ends when the list shrinks under it', async () => {
    const { found, kinds } = await listAll(
      ({ offset, size, number }) => {
        const list = number === 1 ? all : all.slice(0, 50);
        return { resources: list.slice(offset, offset + size), page: page(offset, size, list.length) };
      },
      { pageSize: 100 },
    );
    expect(found).toHaveLength(100);
    expect(kinds).toEqual(['total_changed', 'count_differs']);
  });

  it('sends filters with every page, in the delimiter of the client', async () => {
    const { requests } = await listAll(
      ({ offset, size }) => ({ resources: all.slice(offset, offset + size), page: page(offset, size) }),
      { pageSize: 200 },
      { resourceTypes: ['t', 'u'], enabledAlert: true },
    );
    expect(requests.map(({ url }) => url.search)).toEqual([
      '?resource_types=t%2Cu&enabled_alert=true&page.offset=0&page.size=200',
      '?resource_types=t%2Cu&enabled_alert=true&page.offset=200&page.size=200',
    ]);
  });

  it('holds a server that names its snapshots to the first one', async () => {
    const { requests, listing } = await listAll(
      ({ offset, size }) => ({
        resources: all.slice(offset, offset + size),
        page: page(offset, size),
        revision: 'epoch.7',
      }),
      { pageSize: 100 },
    );
    const pins = requests.map(({ headers }) => headers['roster-revision']);
    expect(pins).toEqual([undefined, 'epoch.7', 'epoch.7']);
    expect(listing.revision).toBe('epoch.7');
  });

  it('refuses pages of another snapshot, unless it need not be one', async () => {
    const unpinned: AnswerPage = ({ offset, size, number }) => ({
      resources: all.slice(offset, offset + size),
      page: page(offset, size),
      revision: `epoch.${number}`,
    });
    await expect(listAll(unpinned, { pageSize: 100 })).rejects.toThrow(
      'asked for revision epoch.1 and got epoch.2',
    );
    const { found, requests } = await listAll(unpinned, { pageSize: 100, pin: false });
    expect(ids(found)).toEqual(ids(all));
    expect(requests.some(({ headers }) => 'roster-revision' in headers)).toBe(false);
  });

  it('fails as expired when the snapshot is gone in the middle, after what it gave', async () => {
    const server = await startLocalServer(({ url }, response) => {
      const offset = Number(url.searchParams.get('page.offset'));
      if (offset >= 100) return sendJson(response, { code: 'revision_expired', detail: 'gone' }, 410);
      response.setHeader('Roster-Revision', 'epoch.7');
      sendJson(response, { resources: all.slice(offset, offset + 50), page: page(offset, 50) });
    });
    const listing = createClient({ baseUrl: server.url }).station('a/b/c/d').listAll({}, { pageSize: 50 });
    const found: string[] = [];
    const error = await (async () => {
      for await (const { resource_id } of listing) found.push(resource_id);
    })().catch((reason: unknown) => reason);
    expect(isRevisionExpired(error)).toBe(true);
    expect(found).toEqual(ids(all.slice(0, 100)));
  });

  it('notices that a cache repeats a page of a snapshot', async () => {
    const stuck: AnswerPage = () => ({
      resources: all.slice(0, 100),
      page: page(0, 100),
      revision: 'epoch.1',
    });
    await expect(listAll(stuck, { pageSize: 100 })).rejects.toMatchObject({ code: 'incomplete_list' });
  });

  it('stops asking when its reader stops', async () => {
    const server = await startListServer(({ offset, size }) => ({
      resources: all.slice(offset, offset + size),
      page: page(offset, size),
    }));
    const listing = createClient({ baseUrl: server.url }).station('a/b/c/d').listAll({}, { pageSize: 10 });
    for await (const _ of listing) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.requests.length).toBeLessThanOrEqual(2);
    await expect(listing[Symbol.asyncIterator]().next()).rejects.toThrow('can be read once');
  });

  it('can be aborted between pages', async () => {
    const controller = new AbortController();
    const server = await startListServer(({ offset, size }) => ({
      resources: all.slice(offset, offset + size),
      page: page(offset, size),
    }));
    const station = createClient({ baseUrl: server.url }).station('a/b/c/d');
    let count = 0;
    await expect(async () => {
      for await (const _ of station.listAll({}, { pageSize: 10, signal: controller.signal })) {
        if (++count === 15) controller.abort(new Error('enough'));
      }
    }).rejects.toMatchObject({ code: 'aborted', cause: new Error('enough') });
    expect(count).toBeLessThanOrEqual(30);
  });

  it.each([
    [{ pageSize: 0 }, 'pageSize must be at least 1'],
    [{ pageSize: 2.5 }, 'pageSize must be a whole number'],
    [{ size: 5 } as never, '"size" is not a member of the options of listAll'],
  ])('refuses the options %j before it asks', (options, reason) => {
    const station = createClient({ baseUrl: 'http://127.0.0.1:1' }).station('a/b/c/d');
    expect(() => station.listAll({}, options)).toThrow(reason);
  });
});

describe('count', () => {
  it('is the total, without the list', async () => {
    const server = await startListServer(({ offset, size }) => ({
      resources: all.slice(offset, offset + size),
      page: page(offset, size),
    }));
    expect(await createClient({ baseUrl: server.url }).station('a/b/c/d').count()).toBe(250);
    expect(server.requests).toHaveLength(1);
  });

  it('reads the whole list without a total', async () => {
    const server = await startListServer(({ offset, size }) => ({
      resources: all.slice(offset, offset + size),
      page: null,
    }));
    expect(await createClient({ baseUrl: server.url }).station('a/b/c/d').count()).toBe(250);
  });
});
