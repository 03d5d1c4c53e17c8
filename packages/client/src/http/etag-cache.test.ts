import { describe, expect, it } from 'vitest';
import { resource } from '../../../../testing/resource.ts';
import { createClient } from '../client.ts';
import { sendJson, startLocalServer } from '../testing/local-server.ts';

/** Answers 304 to whoever knows the list of now. */
async function startTaggedServer() {
  const state = { version: 1, fill: '' };
  const statuses: number[] = [];
  const server = await startLocalServer(({ headers, url }, response) => {
    const etag = `"${url.search}-${state.version}"`;
    response.setHeader('ETag', etag);
    if (headers['if-none-match'] === etag) response.writeHead(304).end();
    else sendJson(response, { resources: [resource(`v${state.version}`, { sku: state.fill })], page: null });
    statuses.push(response.statusCode);
  });
  return { ...server, state, statuses };
}

describe('a client with an ETag cache', () => {
  it('gets 304 while nothing changes, and returns the cached answer', async () => {
    const { url, state, statuses } = await startTaggedServer();
    const station = createClient({ baseUrl: url, etagCache: true }).station('a/b/c/d');
    const first = await station.list();
    const again = await station.list();
    expect(again).toEqual(first);
    state.version = 2;
    expect((await station.list()).resources[0]!.resource_id).toBe('v2');
    expect(statuses).toEqual([200, 304, 200]);
  });

  it('gives everyone a value of their own', async () => {
    const { url } = await startTaggedServer();
    const station = createClient({ baseUrl: url, etagCache: true }).station('a/b/c/d');
    await station.list();
    const taken = (await station.list()).resources as unknown[];
    taken.pop();
    expect((await station.list()).resources).toHaveLength(1);
  });

  it('keeps queries and languages apart, and forgets the one not used for longest', async () => {
    const { url, statuses } = await startTaggedServer();
    const station = createClient({ baseUrl: url, etagCache: { maxEntries: 2 } }).station('a/b/c/d');
    for (const size of [1, 2, 1, 3, 2, 3]) await station.list({ size });
    expect(statuses).toEqual([200, 200, 304, 200, 200, 304]);
    await station.list({ size: 3 }, { acceptLanguage: 'zh' });
    expect(statuses.at(-1)).toBe(200);
  });

  it('does not cache large answers', async () => {
    const { url, state, statuses } = await startTaggedServer();
    state.fill = 'x'.repeat(1024 * 1024);
    const station = createClient({ baseUrl: url, etagCache: true }).station('a/b/c/d');
    await station.list();
    await station.list();
    expect(statuses).toEqual([200, 200]);
  });

  it('is not what a client has unless it asks for it', async () => {
    const { url, requests } = await startTaggedServer();
    const station = createClient({ baseUrl: url }).station('a/b/c/d');
    await station.list();
    await station.list();
    expect(requests.some(({ headers }) => 'if-none-match' in headers)).toBe(false);
  });
});
