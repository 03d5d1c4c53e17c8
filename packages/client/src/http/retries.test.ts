import { describe, expect, it } from 'vitest';
import { createClient } from '../client.ts';
import type { ClientOptions } from '../client-options.ts';
import { type Answer, sendJson, startLocalServer } from '../testing/local-server.ts';

const empty = { resources: [], page: null };

async function start(answer: Answer, options: Partial<ClientOptions> = {}) {
  const server = await startLocalServer(answer);
  return { server, station: createClient({ baseUrl: server.url, ...options }).station('a/b/c/d') };
}

const failFirst =
  (failures: number, fail: Answer): Answer =>
  (request, response, number) =>
    number <= failures ? fail(request, response, number) : sendJson(response, { ...empty, ...written });
const written = {
  revision: 'e.1',
  created: 1,
  updated: 0,
  unchanged: 0,
  removed: 0,
  new_types: [],
  new_states: [],
};
const reset: Answer = (_, response) => {
  response.destroy();
};
const busy: Answer = (_, response) => {
  response.setHeader('Retry-After', '1');
  sendJson(response, { code: 'rate_limited', detail: 'too many' }, 429);
};

describe('a call that fails', () => {
  it.each<[string, Answer]>([
    ['503', (_, response) => sendJson(response, {}, 503)],
    ['a reset connection', reset],
  ])('is repeated after %s', async (_, fail) => {
    const { server, station } = await start(failFirst(2, fail));
    await station.list();
    expect(server.requests).toHaveLength(3);
  });

  it('waits as long as the server asks', async () => {
    const { station } = await start(failFirst(1, busy));
    const startedAtMs = performance.now();
    await station.list();
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(990);
  });

  it('does not wait for a server that asks for too much', async () => {
    const { server, station } = await start(failFirst(1, busy), { maxRetryAfterMs: 500 });
    await expect(station.list()).rejects.toMatchObject({ status: 429, retryAfterMs: 1000 });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [0, 1],
    [1, 2],
  ])('gives up after %j retries', async (retries, requests) => {
    const { server, station } = await start(reset, { retries });
    await expect(station.list()).rejects.toMatchObject({ code: 'network_failure' });
    expect(server.requests).toHaveLength(requests);
  });

  it('is not repeated when that cannot help', async () => {
    const { server, station } = await start((_, response) => sendJson(response, {}, 500));
    await expect(station.list()).rejects.toMatchObject({ status: 500 });
    expect(server.requests).toHaveLength(1);
  });

  it('can be aborted while it waits', async () => {
    const { server, station } = await start((_, response) => {
      response.setHeader('Retry-After', '30');
      sendJson(response, {}, 503);
      setTimeout(() => controller.abort('enough'), 100);
    });
    const controller = new AbortController();
    const startedAtMs = performance.now();
    await expect(station.list({}, { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
      cause: 'enough',
    });
    expect(performance.now() - startedAtMs).toBeLessThan(20_000);
    expect(server.requests).toHaveLength(1);
  });
});

describe('a write that fails', () => {
  const records = [{ resource_type: 'resource_type.a', resource_id: 'a', name: 'a' }];
  const stream = async function* () {
    yield* records;
  };

  it('is repeated when it is whole', async () => {
    const { server, station } = await start(failFirst(1, reset));
    await station.manage.write(records);
    expect(server.requests.map(({ body }) => body)).toEqual([
      `${JSON.stringify(records[0])}\n`,
      `${JSON.stringify(records[0])}\n`,
    ]);
  });

  it('is not repeated when it is a stream', async () => {
    const { server, station } = await start(failFirst(1, reset));
    await expect(station.manage.write(stream())).rejects.toMatchObject({ code: 'network_failure' });
    expect(server.requests).toHaveLength(1);
  });

  it('is not repeated when it depends on a revision, which its first attempt may have changed', async () => {
    const { server, station } = await start(failFirst(1, reset));
    for (const call of [
      () => station.manage.write(records, { ifRevision: 'e.1' }),
      () => station.manage.remove('a', { ifRevision: 'e.1' }),
      () => station.manage.delete({ ifRevision: 'e.1' }),
    ]) {
      server.requests.length = 0;
      await expect(call()).rejects.toMatchObject({ code: 'network_failure' });
      expect(server.requests).toMatchObject([{ headers: { 'if-match': '"e.1"' } }]);
    }
  });
});
