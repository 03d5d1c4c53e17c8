import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type RosterClient } from '../client.ts';
import { isNotFound, isViewMismatch } from '../guards.ts';
import { type RunningRoster, startRoster } from '../testing/start-roster.ts';
import type { NewView, PageQuery } from './view-management.ts';

const address = { subscription: 'a & b', resourceGroup: 'ü/ö', zone: 'zone 1', name: 'views' };
let roster: RunningRoster;
let client: RosterClient;

beforeAll(async () => {
  roster = await startRoster();
  client = createClient({ baseUrl: roster.url });
  const { manage } = client.station(address);
  await manage.create();
  await manage.write(
    ['a', 'b', 'c'].map((id) => ({
      resource_type: 'resource_type.compute.vm',
      resource_id: id,
      name: id,
      state: id === 'b' ? 'ALERTSTATE_PENDING' : 'ALERTSTATE_FIRING',
      labels: { rack: 'r 1' },
    })),
  );
});
afterAll(() => roster.stop());

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('views', () => {
  it('are saved, listed, read, run and deleted, one’s own and shared ones', async () => {
    const { views } = client.manage;
    const query = { states: ['firing'], labels: { rack: ['r 1', 'r2'] }, orderBy: '-name' };
    const search = client.station(address).manage.search({ ...query, size: 1 });
    for (const shared of [false, true]) {
      const { created, view } = await views.put('what fires', { station: address, query }, { shared });
      expect([created, view]).toMatchObject([
        true,
        { name: 'what fires', shared, query: 'state=firing&order_by=-name&label.rack=r%201,r2' },
      ]);
      expect(await views.get('what fires', { shared })).toEqual(view);
      const found = await views.run('what fires', { size: 1 }, { shared });
      expect(found).toEqual(await search);
      const { revision } = found;
      const next = await views.run('what fires', { offset: 1, size: 1 }, { shared, revision });
      expect(next.resources.map(({ resource_id }) => resource_id)).toEqual(['a']);
    }
    const { views: page, page: about } = await views.list({ size: 1, offset: 1 });
    expect([page[0]?.shared, about.total]).toEqual([true, 2]);
    const all = await Array.fromAsync(views.all({ shared: false }));
    expect(all.map(({ name, shared }) => [name, shared])).toEqual([['what fires', false]]);
    for (const shared of [false, true]) await views.delete('what fires', { shared });
    expect(isNotFound(await failureOf(views.run('what fires')))).toBe(true);
  });

  it('are written at a version', async () => {
    const { views } = client.manage;
    const { view } = await views.put(
      'a',
      { query: { zones: ['z'], states: ['firing'] } },
      { ifVersion: null },
    );
    expect([view.station, view.query]).toEqual([null, 'zone=z&state=firing']);
    expect(isViewMismatch(await failureOf(views.put('a', {}, { ifVersion: null })))).toBe(true);
    const changed = await views.put('a', {}, { ifVersion: view.version });
    expect([changed.created, changed.view.query]).toEqual([false, '']);
    expect(isViewMismatch(await failureOf(views.delete('a', { ifVersion: view.version })))).toBe(true);
    await views.delete('a', { ifVersion: changed.view.version });
  });

  it.each<[NewView, string]>([
    [{ station: 'a/b' }, 'a station must be written as'],
    [{ query: { states: [] } }, 'states'],
    [{ query: { sort: 'name' } } as NewView, '"sort" is not a member of the query'],
    [{ sation: address } as NewView, '"sation" is not a member of the view'],
  ])('are not saved as %j', async (view, message) => {
    const failure = await failureOf(client.manage.views.put('a', view));
    expect(String(failure)).toContain(message);
  });

  it('are run with a page alone', async () => {
    const page = { size: 1, state: 'firing' } as PageQuery;
    expect(String(await failureOf(client.manage.views.run('a', page)))).toContain('not a member of the page');
    expect(String(await failureOf(client.manage.views.run('a', { size: -1 })))).toContain('size must be');
    expect(String(await failureOf(client.manage.views.run('..')))).toContain('the name of the view');
  });
});
