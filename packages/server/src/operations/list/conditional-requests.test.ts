import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { record, TestServer } from '../../testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start();
});
beforeEach(async () => {
  await server.empty();
  await server.createStation();
  await server.write(record('a'), record('b'), record('c'));
});

afterAll(() => server[Symbol.asyncDispose]());

describe('ETag', () => {
  it('answers 304 while nothing changes, in every form of If-None-Match', async () => {
    const etag = (await server.list('page.size=1')).headers.get('etag')!;
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await server.list('page.size=1', { headers: { 'If-None-Match': header } });
      expect([response.status, response.headers.get('etag')]).toEqual([304, etag]);
      expect(response.headers.get('roster-revision')).toBeTruthy();
      expect(await response.text()).toBe('');
    }
    expect((await server.list('', { headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect((await server.list('', { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });

  it('changes with every write that changes something, and with nothing else', async () => {
    const etagOf = async () => (await server.list('page.size=1')).headers.get('etag');
    const before = await etagOf();
    await server.write(record('a'));
    expect(await etagOf()).toBe(before);
    await server.write(record('a', { alert_rules_count: 1 }));
    expect(await etagOf()).not.toBe(before);
  });

  it('is checked after the parameters', async () => {
    const etag = (await server.list('page.size=1')).headers.get('etag')!;
    expect((await server.list('page.size=x', { headers: { 'If-None-Match': etag } })).status).toBe(400);
  });
});

describe('Roster-Revision', () => {
  const pinned = (revision: string) => ({ headers: { 'Roster-Revision': revision } });
  const revisionOf = async (query = '') => (await server.list(query)).headers.get('roster-revision')!;

  it('reads the same snapshot while the station changes', async () => {
    const revision = await revisionOf();
    await server.manage('/resources/a', { method: 'DELETE' });
    await server.write(record('d'), record('b', { display_name: 'zzz' }));
    expect(await server.ids()).toEqual(['c', 'd', 'b']);
    expect(await server.ids('', pinned(revision))).toEqual(['a', 'b', 'c']);
    expect(await server.ids('page.offset=1&page.size=1', pinned(revision))).toEqual(['b']);
    expect(await server.ids('resource_ids=a,d', pinned(revision))).toEqual(['a']);
    const response = await server.list('page.size=1', pinned(revision));
    expect(response.headers.get('roster-revision')).toBe(revision);
  });

  it('answers 410 for a revision of another life of the station, of the future, or that never was', async () => {
    const revision = await revisionOf();
    const [epoch, number] = revision.split('.');
    const notThere = [`${epoch}.${Number(number) + 1}`, `other.${number}`, `${epoch}.0`];
    await server.manage('', { method: 'DELETE' });
    await server.createStation();
    await server.write(record('a'));
    for (const each of [...notThere, revision]) {
      const response = await server.list('page.size=1', pinned(each));
      expect(response.status).toBe(410);
      expect(await response.json()).toMatchObject({ code: 'revision_expired' });
    }
  });

  it.each(['', 'x', '1', 'a.b', 'a.-1', 'a.01', 'a.99999999999999999', 'a.1, a.2', 'A.1'])(
    'refuses %j with 400',
    async (text) => {
      const response = await server.list('page.size=1', pinned(text));
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ parameter: 'Roster-Revision' });
    },
  );
});
