import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { longOnly } from '../../../../../testing/scale.ts';
import { EventReader } from '../../testing/event-reader.ts';
import { record, TestServer } from '../../testing/test-server.ts';

interface ChangesEvent {
  readonly revision: string;
  readonly complete: boolean;
  readonly changes: { readonly change: string; readonly resource_id: string; readonly revision: string }[];
}

let server: TestServer;

beforeEach(async () => {
  server = await TestServer.start();
  await server.createStation();
});

afterEach(() => server[Symbol.asyncDispose]());

const stream = (query = '', headers: Record<string, string> = {}) =>
  server.manage(`/changes/stream?${query}`, { headers });
const watch = async (query = '', headers: Record<string, string> = {}) =>
  new EventReader(await stream(query, headers));
const revision = async () => (await server.list()).headers.get('roster-revision')!;
const brief = (data: unknown) =>
  (data as ChangesEvent).changes.map(({ change, resource_id }) => `${change} ${resource_id}`);

describe('the stream of changes', () => {
  it('ends when its client leaves before it has begun', async () => {
    const { port, hostname } = new URL(server.url);
    for (let at = 0; at < 60; at++) {
      const socket = net.connect(Number(port), hostname).on('error', () => undefined);
      const path = `/roster/v1/subscriptions/s/resourceGroups/g/zones/z/telemetryStations/t/changes/stream?resource_id=${at}`;
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await delay(at % 7);
      socket.resetAndDestroy();
    }
    const watchers = async () =>
      /^roster_watchers (\d+)$/m.exec(await (await fetch(server.metricsUrl)).text())![1];
    await expect.poll(watchers, { timeout: 60_000 }).toBe('0');
  });

  it('says where it begins, then tells of every revision as a whole', async () => {
    await server.write(record('old'));
    await using events = await watch();
    const start = await revision();
    expect(await events.next()).toEqual({ id: start, event: 'revision', data: { revision: start } });
    await server.write(record('a'), record('b'));
    await server.write(record('a', { sku: '1 x' }));
    await server.manage('/resources/b', { method: 'DELETE' });
    const heard = [await events.next(), await events.next(), await events.next()];
    expect(heard.map((event) => brief(event!.data))).toEqual([
      ['created a', 'created b'],
      ['updated a'],
      ['removed b'],
    ]);
    for (const event of heard) {
      expect(event).toMatchObject({ event: 'changes', data: { revision: event!.id, complete: true } });
    }
    expect(heard[2]!.id).toBe(await revision());
  });

  it('tells of nothing that a list would not show', async () => {
    await using events = await watch();
    await events.nextOf('revision');
    const writes = Promise.all([1, 2, 3].map((turn) => server.write(...bulk(500, `turn ${turn}`))));
    for (let seen = 0; seen < 3; ) {
      const { data } = await events.nextOf('changes');
      if (!(data as ChangesEvent).complete) continue;
      seen++;
      const listed = Number((await revision()).split('.')[1]);
      expect(listed).toBeGreaterThanOrEqual(Number((data as ChangesEvent).revision.split('.')[1]));
    }
    await writes;
  });

  longOnly(it)(
    'goes on behind any event, within a large revision too, and tells of each change once',
    async () => {
      const start = await revision();
      await server.write(...bulk(1000, 'first'));
      await server.write(record('last'));
      const seen: string[] = [];
      let position = start;
      for (let isDone = false; !isDone; ) {
        await using events = await watch('', { 'Last-Event-ID': position });
        const event = await events.nextOf('changes');
        seen.push(...brief(event.data));
        position = event.id!;
        isDone = seen.at(-1) === 'created last';
      }
      expect(seen).toHaveLength(1001);
      expect(new Set(seen).size).toBe(1001);
      expect(position).toBe(await revision());
    },
  );

  it('marks parts of a large revision as incomplete until the last one', async () => {
    const start = await revision();
    await server.write(...bulk(450, 'large'));
    await using events = await watch(`since=${start}`);
    const parts: ChangesEvent[] = [];
    do parts.push((await events.nextOf('changes')).data as ChangesEvent);
    while (!parts.at(-1)!.complete);
    expect(parts.map(({ changes, complete }) => [changes.length, complete])).toEqual([
      [200, false],
      [200, false],
      [50, true],
    ]);
  });

  it('can be about one resource', async () => {
    await using events = await watch('resource_id=b');
    await events.nextOf('revision');
    await server.write(record('a'));
    await server.write(record('b'));
    expect(brief((await events.nextOf('changes')).data)).toEqual(['created b']);
  });

  it('has labels in the language of the client, new ones included', async () => {
    await using events = await watch('', { 'Accept-Language': 'zh' });
    await events.nextOf('revision');
    await fetch(`${server.url}/roster/v1/resource-types/resource_type.compute.vm`, {
      method: 'PUT',
      body: JSON.stringify({ labels: { zh: '云服务器' } }),
      headers: { 'Content-Type': 'application/json' },
    });
    await server.write(record('a'));
    expect((await events.nextOf('changes')).data).toMatchObject({
      changes: [{ resource: { resource_type: { label: '云服务器' } } }],
    });
  });

  it('ends with a reason when the station goes away', async () => {
    await using events = await watch();
    await events.nextOf('revision');
    await server.manage('', { method: 'DELETE' });
    expect(await events.next()).toMatchObject({
      event: 'expired',
      data: { status: 404, code: 'station_not_found' },
    });
    expect(await events.next()).toBeUndefined();
  });

  it('refuses what it cannot begin with before it begins', async () => {
    const [epoch] = (await revision()).split('.');
    for (const [query, headers, status] of [
      ['since=other.0', {}, 410],
      [`since=${epoch}.5`, {}, 410],
      ['since=never', {}, 400],
      ['page.size=5', {}, 400],
      ['', { 'Last-Event-ID': 'never' }, 400],
    ] as const) {
      const response = await stream(query, headers);
      expect([query, response.status]).toEqual([query, status]);
      expect(response.headers.get('content-type')).toContain('application/problem+json');
      await response.body?.cancel();
    }
  });

  it('is announced to HEAD, and ends when the server does', async () => {
    const head = await server.manage('/changes/stream', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    const other = await TestServer.start();
    await other.createStation();
    const events = new EventReader(await other.manage('/changes/stream'));
    await events.nextOf('revision');
    const startMs = performance.now();
    await other.stop(600_000);
    // Far less than a connection may rest.
    expect(performance.now() - startMs).toBeLessThan(10_000);
    expect(await events.next()).toBeUndefined();
  });
});

function bulk(count: number, sku: string): object[] {
  return Array.from({ length: count }, (_, at) => record(`bulk-${at}`, { sku }));
}
