import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { scale } from '../../testing/scale.ts';
import { expectProblem, toAnswer } from '../testing/check-answer.ts';
import { shareServer } from '../testing/start-server.ts';
import { listPath, numbered, Station } from '../testing/station.ts';
import type { List, ListedResource } from '../testing/station-answers.ts';

const shared = shareServer();
const pageSize = 97;

/** Writes, overwrites and removes until told to stop; resolves to how many changes were acknowledged. */
async function changeConstantly(station: Station, signal: AbortSignal): Promise<number> {
  for (let round = 0; ; round++) {
    if (signal.aborted) return round;
    // The new ones come first in the list, so that every unpinned offset would shift.
    const response =
      round % 3 === 2
        ? await station.remove(`a-${round - 1}-00000`)
        : await station.write([
            ...numbered(3, `a-${round}`),
            ...numbered(2, 'vm', { display_name: `zz moved ${round}` }),
          ]);
    expect(response.status).toBe(200);
  }
}

async function walkPages(
  station: Station,
): Promise<{ walked: ListedResource[]; total: number; revision: string }> {
  const first = await station.list(`?page.size=${pageSize}`);
  const walked = [...first.resources];
  const { total } = first.page!;
  while (walked.length < total) {
    const next = await station.list(`?page.size=${pageSize}&page.offset=${walked.length}`, {
      'Roster-Revision': first.revision,
    });
    expect(next.revision).toBe(first.revision);
    expect(next.page?.total).toBe(total);
    walked.push(...next.resources);
  }
  return { walked, total, revision: first.revision };
}

it('shows every resource of a pinned snapshot exactly once while the station changes', async () => {
  const server = shared();
  const station = await Station.create(server, 'station-1');
  await station.write(numbered(3_000));
  const stop = new AbortController();
  const changing = changeConstantly(station, stop.signal);
  const revisions = new Set<string>();
  // How often the station changes meanwhile depends on how busy the machine is.
  for (let walk = 0; walk < scale(2, 6) || revisions.size < 3; walk++) {
    const { walked, total, revision } = await walkPages(station);
    revisions.add(revision);
    const whole = await station.list('', { 'Roster-Revision': revision });
    expect(walked).toHaveLength(total);
    expect(walked).toEqual(whole.resources);
    expect(new Set(walked.map(({ resource_id: id }) => id)).size).toBe(total);
    expect(walked.filter(({ resource_id: id }) => id.startsWith('vm-'))).toHaveLength(3_000);
  }
  stop.abort();
  await changing;
});

it('shows every acknowledged write to the very next request on any connection', async () => {
  const server = shared();
  const station = await Station.create(server, 'station-2');
  await station.write(numbered(1_000));
  const stop = new AbortController();
  const other = await Station.create(server, 'other');
  const changing = changeConstantly(other, stop.signal).catch(() => 0);
  const connections = await Promise.all(Array.from({ length: 4 }, () => server.connect()));
  const ask = async (path: string) => {
    for (const connection of connections) connection.send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const answers = await Promise.all(connections.map((connection) => connection.answer()));
    return answers.map(({ body }) => JSON.parse(body.toString()) as List);
  };
  for (let round = 0; round < scale(30, 150); round++) {
    const [created] = numbered(1, `new-${round}`, { sku: 'created' });
    await station.write([created!, { resource_id: 'vm-00500', sku: `round ${round}` }]);
    for (const list of await ask(listPath(station.path, '?page.size=2&resource_display_name_prefix=new-'))) {
      expect(list.page?.total).toBe(1);
      expect(list.resources[0]).toMatchObject({ resource_id: created!.resource_id, sku: 'created' });
    }
    for (const list of await ask(listPath(station.path, '?page.size=1&resource_ids=vm-00500'))) {
      expect(list.resources[0]?.sku).toBe(`round ${round}`);
    }
    await station.remove(created!.resource_id);
    for (const list of await ask(listPath(station.path, '?page.size=0')))
      expect(list.page?.total).toBe(1_000);
  }
  stop.abort();
  await changing;
});

it('answers 410 to a revision of a station that was deleted and created again', async () => {
  const server = shared();
  const station = await Station.create(server, 'station-3');
  await station.write(numbered(10));
  const { revision } = await station.list();
  expect((await station.delete()).status).toBe(204);
  const pinned = { 'Roster-Revision': revision };
  expectProblem(await toAnswer(await station.get('', pinned)), 404, 'station_not_found');
  await station.put();
  expectProblem(await toAnswer(await station.get('', pinned)), 410, 'revision_expired');
  await station.write(numbered(20));
  expectProblem(await toAnswer(await station.get('?page.size=5', pinned)), 410, 'revision_expired');
  const again = await station.list();
  expect(again.resources).toHaveLength(20);
  expect(again.revision.split('.')[0]).not.toBe(revision.split('.')[0]);
});

it('answers in an orderly way while a station is deleted and created over and over', async () => {
  const server = shared();
  const station = await Station.create(server, 'station-4');
  const stop = new AbortController();
  const statuses = new Map<string, number>();
  const repeat = async (what: string, ask: () => Promise<Response>) => {
    while (!stop.signal.aborted) {
      const response = await ask();
      const text = await response.text();
      const key = `${what} ${response.status}`;
      statuses.set(key, (statuses.get(key) ?? 0) + 1);
      expect(response.status, text).toBeLessThan(500);
    }
  };
  const work = Promise.all([
    repeat('delete', async () => {
      // A pause lets some of the writes find their station; how many is a matter of chance.
      await delay(25);
      return station.delete();
    }),
    repeat('create', () => station.put()),
    repeat('write', () => station.write(numbered(50))),
    repeat('write', () => station.write(numbered(50, 'more'))),
    repeat('list', () => station.get('?page.size=10')),
    repeat('list', () => station.get()),
  ]);
  const changed = Promise.all([
    delay(scale(1_000, 4_000)),
    expect
      .poll(() => [...statuses.keys()], { timeout: 60_000 })
      .toEqual(expect.arrayContaining(['create 201', 'delete 204', 'list 200'])),
  ]);
  await Promise.race([work, changed]);
  stop.abort();
  await Promise.all([work, changed]);
  expect([...statuses.keys()].filter((key) => !/ (200|201|204|404)$/.test(key))).toEqual([]);
  expect(server.process.stderr).toBe('');
  await station.put();
  await station.write(numbered(50));
  expect((await station.list()).resources.length).toBeGreaterThanOrEqual(50);
});
