import type { Head, Store } from '@roster/engine';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scale } from '../../../../../testing/scale.ts';
import { aBatch, aToken, aView, countResources, put, station } from '../../testing/station-data.ts';
import { useServer } from '../testing/use-server.ts';

const fixture = useServer();

/** A machine may interrupt everything for longer than a node waits for heads in production. */
const open: typeof fixture.open = (options) => fixture.open({ headTimeoutMs: 60_000, ...options });

async function openNodes(count: number): Promise<Store[]> {
  const url = await fixture.server.createDatabase();
  const nodes: Store[] = [];
  for (let node = 0; node < count; node++) nodes.push(await open({ url, connections: 12 }));
  await nodes[0]!.createStation(station);
  return nodes;
}

it('shows a write of one node to the next question on every other, while all of them write', async () => {
  const nodes = await openNodes(3);
  const heads: Head[] = [];
  const write = async (writer: number) => {
    for (let round = 0; round < 12; round++) {
      const { head } = await put(nodes[writer % 3]!, aBatch(2, `vm-${writer}-${round}`));
      heads.push(head);
      const seen = await Promise.all(nodes.map((node) => node.head(station)));
      for (const other of seen) expect(other!.number).toBeGreaterThanOrEqual(head.number);
    }
  };
  await Promise.all(Array.from({ length: 9 }, (_, writer) => write(writer)));
  const numbers = heads.map(({ number }) => number).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 108 }, (_, index) => index + 1));
  for (const node of nodes) expect(await countResources(node)).toBe(216);
});

it('shows the writes of a node that uses a port to one that uses a socket, and the other way round', async () => {
  const url = await fixture.server.createDatabase();
  const byPort = await open({ url });
  const bySocket = await open({ url: fixture.server.bySocket(url) });
  await byPort.createStation(station);
  for (let round = 1; round <= 3; round++) {
    await put(bySocket, aBatch(2, `socket-${round}`));
    expect((await byPort.head(station))!.number).toBe(round * 2 - 1);
    await put(byPort, aBatch(2, `port-${round}`));
    expect((await bySocket.head(station))!.number).toBe(round * 2);
  }
  expect(await countResources(bySocket)).toBe(12);
});

it('never goes back on any node, whatever is asked in between', async () => {
  const nodes = await openNodes(2);
  let highest = 0;
  let written = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ node: fc.nat(1), write: fc.boolean() }), { minLength: 1, maxLength: 8 }),
      async (steps) => {
        const begun = steps.map(async ({ node, write }) => {
          const before = highest;
          const head = write
            ? (await put(nodes[node]!, aBatch(1, `vm-${written++}`))).head
            : await nodes[node]!.head(station);
          expect(head!.number).toBeGreaterThanOrEqual(before);
          highest = Math.max(highest, head!.number);
        });
        await Promise.all(begun);
      },
    ),
    { numRuns: scale(10, 40) },
  );
});

it('shows types, stations and deletions of one node on another', async () => {
  const [a, b] = (await openNodes(2)) as [Store, Store];
  const type = { key: 'resource_type.x', labels: { en: 'X' }, product: '', alertable: true };
  await a.putTypes([type]);
  expect((await b.catalog()).types.get(type.key)).toEqual(type);
  await put(a, aBatch(1));
  expect((await b.head(station))?.number).toBe(1);
  expect(b.knownCatalog().types.has('resource_type.compute.vm')).toBe(true);
  expect((await b.stations({ offset: 0, limit: 10 })).stations[0]).toMatchObject({
    counts: { resources: 1 },
  });
  await a.deleteType(type.key);
  expect((await b.catalog()).types.has(type.key)).toBe(false);
  await a.deleteStation(station);
  expect(await b.head(station)).toBeUndefined();
  expect((await b.createStation(station)).created).toBe(true);
  expect((await a.head(station))?.number).toBe(0);
});

it('lets ten nodes that start at once make one first token, which all of them know', async () => {
  const nodes = await openNodes(10);
  const added = await Promise.all(nodes.map((node, index) => node.tokens.addFirst(aToken(`node-${index}`))));
  expect(added.filter(Boolean)).toHaveLength(1);
  const first = aToken(`node-${added.indexOf(true)}`);
  for (const node of nodes) expect(await node.tokens.list()).toEqual([first]);
  await nodes[3]!.tokens.remove(first.id);
  for (const node of nodes) expect(await node.tokens.list()).toEqual([]);
  expect(await nodes[4]!.tokens.addFirst(aToken('late'))).toBe(false);
});

it('shows a view of one node on every other at once, and what became of it', async () => {
  const nodes = await openNodes(3);
  for (let round = 0; round < 6; round++) {
    const view = { ...aView('shared', 'a'), query: `text=${round}` };
    expect(await nodes[round % 3]!.views.put(view)).toBe(round === 0);
    for (const node of nodes) expect(await node.views.get('shared', 'a')).toEqual(view);
  }
  const added = await Promise.all(nodes.map((node) => node.views.put(aView('shared', 'b'))));
  expect(added.filter(Boolean)).toHaveLength(1);
  expect(await nodes[0]!.views.remove('shared', 'a')).toBe(true);
  for (const node of nodes) expect(await node.views.list()).toEqual([aView('shared', 'b')]);
});

it('records the last use of tokens that all nodes use', async () => {
  const nodes = await openNodes(3);
  const ids = Array.from({ length: 20 }, (_, index) => `t${index}`);
  for (const id of ids) await nodes[0]!.tokens.add(aToken(id));
  const uses = (node: number, round: number) =>
    new Map((node === 1 ? ids.toReversed() : ids).map((id) => [id, 1000 * round + node]));
  for (let round = 1; round <= 10; round++) {
    await Promise.all(nodes.map(({ tokens }, node) => tokens.recordUses(uses(node, round))));
  }
  const listed = await nodes[1]!.tokens.list();
  expect(new Set(listed.map(({ lastUsedAtMs }) => lastUsedAtMs))).toEqual(new Set([10_002]));
});

it('lists tokens while large reads hold all connections for reading', async () => {
  const store = await open({ connections: 4 });
  await store.createStation(station);
  await put(store, aBatch(5_000));
  await store.tokens.add(aToken('a'));
  const feed = (await store.feed(station)).chunks[Symbol.asyncIterator]();
  await feed.next();
  expect(await store.tokens.list()).toEqual([aToken('a')]);
  await feed.return?.();
});

it('keeps a type that another node begins to use while it is being deleted', async () => {
  const nodes = await openNodes(2);
  const typeKey = 'resource_type.compute.vm';
  for (let round = 0; round < 15; round++) {
    await nodes[0]!.putTypes([{ key: typeKey, labels: {}, product: '', alertable: true }]);
    await Promise.all([
      put(nodes[1]!, aBatch(1, `vm-${round}`)),
      nodes[0]!.deleteType(typeKey).catch((error) => expect(error).toMatchObject({ code: 'type_in_use' })),
    ]);
    expect((await nodes[0]!.catalog()).types.has(typeKey)).toBe(true);
    await nodes[0]!.removeResource(station, `vm-${round}-0`);
  }
});

it('tells the hook of what another node has written, soon and without being asked', async () => {
  const [a, b] = (await openNodes(2)) as [Store, Store];
  await b.head(station);
  let told: Head | undefined;
  b.onBeforeVisible(async (_, head) => {
    told = head;
  });
  const startedAtMs = performance.now();
  for (let round = 0; round < 20; round++) {
    const { head } = await put(a, aBatch(1, `vm-${round}`));
    await expect.poll(() => told, { interval: 5 }).toEqual(head);
  }
  // Without notifications, each would be told with the next poll, which is every 5 s.
  expect(performance.now() - startedAtMs).toBeLessThan(60_000);
});
