import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../client.ts';
import { HttpError } from '../errors.ts';
import { isAborted, isNotFound, isRevisionExpired } from '../guards.ts';
import type { ResourceRecord } from '../roster-wire.ts';
import { startLocalServer } from '../testing/local-server.ts';
import { type RunningRoster, startRoster } from '../testing/start-roster.ts';
import type { ChangedEvent, Watch, WatchEvent } from './watch.ts';

const record = (id: string, given: object = {}): ResourceRecord => ({
  resource_type: 'resource_type.compute.vm',
  resource_id: id,
  name: `name-${id}`,
  ...given,
});
const bulk = (count: number) => Array.from({ length: count }, (_, at) => record(`r${at}`));
const brief = (event: WatchEvent | undefined) =>
  event?.kind === 'listed'
    ? event.resources.map((each) => each.resource_id)
    : event?.changes.map(({ change, resource_id }) => `${change} ${resource_id}`);

/** Takes events from a watch, which is let go at the end. */
async function take(watch: Watch, count: number): Promise<WatchEvent[]> {
  const events: WatchEvent[] = [];
  for await (const event of watch) {
    events.push(event);
    if (events.length === count) break;
  }
  return events;
}

describe('a watch of a real server', () => {
  let roster: RunningRoster;
  let stations = 0;

  beforeAll(async () => {
    roster = await startRoster();
  });

  afterAll(() => roster.stop());

  const newStation = async () => {
    const client = createClient({ baseUrl: roster.url });
    const station = client.station(`watch/test/zone/s${++stations}`);
    await station.manage.create();
    return station;
  };

  it('tells when it has returned everything, and up to which revision', async () => {
    const station = await newStation();
    const { revision } = await station.manage.write([record('a')]);
    const stop = new AbortController();
    const current = await new Promise<string>((resolve) => {
      const watch = station.manage.watch({ since: revision }, { signal: stop.signal, onCurrent: resolve });
      take(watch, 1).catch(() => {});
    });
    stop.abort();
    expect(current).toBe(revision);
  });

  it('starts with the whole station, then returns each revision as a whole', async () => {
    const station = await newStation();
    await station.manage.write([record('a'), record('b')]);
    const events: WatchEvent[] = [];
    for await (const event of station.manage.watch()) {
      events.push(event);
      if (events.length === 1) await station.manage.write(bulk(500));
      if (events.length === 2) await station.manage.remove('a');
      if (events.length === 3) break;
    }
    expect(brief(events[0])).toEqual(['a', 'b']);
    expect((events[1] as ChangedEvent).changes).toHaveLength(500);
    expect(brief(events[2])).toEqual(['removed a']);
  });

  it('resumes from the position of another watch', async () => {
    const station = await newStation();
    const first = station.manage.watch();
    await take(first, 1);
    await station.manage.write([record('a')]);
    await station.manage.write([record('b')]);
    const next = station.manage.watch({ since: first.position });
    expect((await take(next, 2)).map(brief)).toEqual([['created a'], ['created b']]);
    expect(next.position).toBe((await station.manage.get()).revision);
  });

  it('ends when it is aborted, and when the station is deleted', async () => {
    const station = await newStation();
    const abort = new AbortController();
    const reading = take(station.manage.watch({ list: false }, { signal: abort.signal }), 1);
    setTimeout(() => abort.abort(), 100);
    await expect(reading).rejects.toSatisfy(isAborted);
    const watching = take(station.manage.watch(), 2);
    const deleted = sleep(200).then(() => station.manage.delete());
    await expect(watching).rejects.toSatisfy(isNotFound);
    await deleted;
  });
});

describe('a watch of a server in trouble', () => {
  const change = (id: string) => ({ revision: 'e.2', change: 'created', resource_id: id });
  const send = (response: ServerResponse, text: string) => {
    if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(text);
  };
  const event = (kind: string, id: string, data: unknown) =>
    `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
  const part = (id: string, complete: boolean, position: string) =>
    event('changes', position, { revision: 'e.2', complete, changes: [change(id)] });
  const watch = (url: string, query: object) =>
    createClient({ baseUrl: url }).station('a/b/c/d').manage.watch(query);

  it('reconnects after the last complete revision, and repeats nothing', async () => {
    const server = await startLocalServer((_, response, number) => {
      if (number === 1) {
        send(response, `${part('a', true, 'e.1')}${part('b', false, 'e.1.1-1')}`);
        setTimeout(() => response.destroy(), 100);
      } else if (number === 2) response.writeHead(503).end();
      else send(response, part('b', false, 'e.1.1-1') + part('c', true, 'e.2'));
    });
    const events = await take(watch(server.url, { since: 'e.0' }), 2);
    expect(events.map(brief)).toEqual([['created a'], ['created b', 'created c']]);
    expect(server.requests.map(({ url }) => url.searchParams.get('since'))).toEqual(['e.0', 'e.1', 'e.1']);
  });

  it('lists again after a gap in the history, unless lists are off', async () => {
    const expired = { status: 410, code: 'revision_expired', detail: 'gone', request_id: 'r' };
    const server = await startLocalServer(({ url }, response, number) => {
      if (url.pathname.endsWith('/export')) {
        const headers = { 'Content-Type': 'application/x-ndjson', 'Roster-Revision': `e.${number}` };
        response.writeHead(200, headers).end(`${JSON.stringify(record(`r${number}`))}\n`);
      } else if (number === 2) send(response, `event: expired\ndata: ${JSON.stringify(expired)}\n\n`);
      else send(response, part('late', true, 'e.9'));
    });
    const events = await take(watch(server.url, {}), 3);
    expect(events.map(brief)).toEqual([['r1'], ['r3'], ['created late']]);
    const alone = await startLocalServer((_, response) => {
      send(response, `event: expired\ndata: ${JSON.stringify(expired)}\n\n`);
    });
    await expect(take(watch(alone.url, { list: false }), 1)).rejects.toSatisfy(isRevisionExpired);
  });

  it('does not reconnect when the server refuses it', async () => {
    const server = await startLocalServer((_, response) => void response.writeHead(403).end());
    const error = await take(watch(server.url, { list: false }), 1).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(HttpError);
    expect(server.requests).toHaveLength(1);
  });
});
