import { expect, it } from 'vitest';
import { longOnly, scale } from '../../testing/scale.ts';
import { startServer } from '../testing/start-server.ts';
import { numbered, Station } from '../testing/station.ts';
import type { ListedResource, RecordView, WriteResult } from '../testing/station-answers.ts';

const clients = 10;
const each = <T>(work: (client: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
const numberOf = (revision: string) => Number(revision.split('.')[1]);

longOnly(it)(
  'loses no update of clients that read, change and write at the revision they have read',
  async () => {
    const rounds = scale(4, 15);
    const station = await Station.create(await startServer());
    await station.write([...numbered(100), { resource_id: 'counter', alert_rules_count: 0 }]);
    let mismatches = 0;
    const countUp = async (): Promise<string> => {
      for (;;) {
        const { resources, revision } = await station.list('?resource_ids=counter&page.size=1');
        const counted = resources[0]!.alert_rules_count + 1;
        const response = await station.write([{ resource_id: 'counter', alert_rules_count: counted }], {
          headers: { 'If-Match': `"${revision}"` },
        });
        if (response.status === 200) return ((await response.json()) as WriteResult).revision;
        expect(response.status).toBe(412);
        mismatches++;
      }
    };
    const revisions = await each(async () => {
      const own: string[] = [];
      for (let round = 0; round < rounds; round++) own.push(await countUp());
      return own;
    });
    const total = clients * rounds;
    expect((await station.list('?resource_ids=counter')).resources[0]!.alert_rules_count).toBe(total);
    const numbers = revisions.flat().map(numberOf);
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, at) => at + 2));
    const counted = (await station.history()).filter(({ change }) => change === 'updated');
    expect(counted.map(({ resource }) => resource.alert_rules_count)).toEqual(
      Array.from({ length: total }, (_, at) => at + 1),
    );
    // Without collisions the test says nothing.
    expect(mismatches).toBeGreaterThan(clients);
  },
);

/** The resources of one client, whose state and number tell of it wherever they are counted. */
const stateOf = (client: number) => `ALERTSTATE_${client}`;
const sizeOf = (client: number) => 200 + 10 * client;
const setOf = (client: number) => numbered(sizeOf(client), 'vm', { state: stateOf(client) });

function clientOf(resources: readonly Pick<ListedResource, 'state'>[]): number {
  const states = new Set(resources.map(({ state }) => state));
  expect(states.size).toBe(1);
  const client = Number([...states][0]!.split('_')[1]);
  expect(resources).toHaveLength(sizeOf(client));
  return client;
}

it('shows readers one replace or another, never a part of two', async () => {
  const station = await Station.create(await startServer());
  await station.write(setOf(0));
  /** Who wrote each revision, by the first answer that showed it. */
  const writers = new Map<string, number>();
  const note = (revision: string, client: number) => {
    expect(writers.getOrInsert(revision, client), revision).toBe(client);
  };
  const readers = [
    async () => {
      const { resources, revision } = await station.list();
      note(revision, clientOf(resources));
    },
    async () => {
      const { states, total, types, revision } = await station.summary();
      const client = Number(Object.keys(states)[0]!.split('_')[1]);
      expect([states, total]).toEqual([{ [stateOf(client)]: sizeOf(client) }, sizeOf(client)]);
      expect(types).toMatchObject([{ states, total }]);
      note(revision, client);
    },
    async () => {
      const { resources, revision } = await station.described();
      const client = Number(Object.keys(resources.states)[0]!.split('_')[1]);
      expect(resources.states).toEqual({ [stateOf(client)]: resources.total });
      expect(resources.total).toBe(sizeOf(client));
      note(revision, client);
    },
    async () => {
      const response = await station.ask('/export?format=json');
      const revision = response.headers.get('roster-revision')!;
      note(revision, clientOf((await response.json()) as RecordView[]));
    },
  ];
  let isWriting = true;
  const counts = readers.map(() => 0);
  const haveAllRead = () => counts.every((count) => count > scale(1, 5));
  const reading = readers.map(async (read, reader) => {
    for (; isWriting; counts[reader]!++) await read();
  });
  await each(async (client) => {
    for (let round = 0; round < scale(3, 10) || !haveAllRead(); round++) {
      const response = await station.write(setOf(client), { query: '?mode=replace&allow_removal=all' });
      expect(response.status).toBe(200);
      note(((await response.json()) as WriteResult).revision, client);
    }
  });
  isWriting = false;
  await Promise.all(reading);
  const { resources, revision } = await station.list();
  expect(clientOf(resources)).toBe(writers.get(revision));
  expect(numberOf(revision)).toBeGreaterThan(clients);
  const changed = new Set((await station.history()).map((change) => numberOf(change.revision)));
  expect([...changed]).toEqual(Array.from({ length: numberOf(revision) }, (_, at) => at + 1));
});

longOnly(it)('does exactly what was planned at the revision of the plan, or nothing', async () => {
  const station = await Station.create(await startServer());
  await station.write(numbered(50));
  let applied = 0;
  await each(async (client) => {
    for (let round = 0; round < scale(3, 10); round++) {
      const records = [
        ...numbered(30 + client, 'vm', { sku: `${client} ${round}` }),
        ...numbered(3, `new-${client}`),
      ];
      const replace = '?mode=replace&allow_removal=all';
      const planned = await station.write(records, { query: `${replace}&dry_run=true` });
      const plan = (await planned.json()) as WriteResult;
      const written = await station.write(records, {
        query: replace,
        headers: { 'If-Match': `"${plan.revision}"` },
      });
      if (written.status === 412) continue;
      const { created, updated, unchanged, removed } = plan;
      expect(await written.json()).toMatchObject({ created, updated, unchanged, removed });
      applied++;
    }
  });
  expect(applied).toBeGreaterThan(scale(1, 5));
  expect(numberOf((await station.list()).revision)).toBe(applied + 1);
});
