import type { Store, WriteResult } from '@roster/engine';
import { expect, it } from 'vitest';
import { aBatch, put, station } from '../../testing/station-data.ts';
import { FaultProxy } from '../testing/fault-proxy.ts';
import { useServer } from '../testing/use-server.ts';

const fixture = useServer();

/** Two nodes that stage all they write. One is far from the database: the other writes much between its statements. */
async function openNodes() {
  const url = await fixture.server.createDatabase();
  const proxy = await FaultProxy.start(fixture.server.port);
  const far = await fixture.open({ url: proxy.url(url), maxDirectRecords: 0 });
  const near = await fixture.open({ url, maxDirectRecords: 0 });
  await near.createStation(station);
  proxy.delayMs = 20;
  return { far, near, proxy };
}

interface Written {
  readonly resourceId: string;
  readonly name: string;
  readonly state?: string;
}

async function write(store: Store, record: Written): Promise<WriteResult> {
  const batch = await store.openBatch(station);
  await batch.add([{ line: 1, record: { ...record, typeKey: 'resource_type.a' } }]);
  return batch.commit();
}

/** Repeats some work until what is returned is called, which resolves when the last of it is done. */
function keepDoing(work: () => Promise<unknown>): () => Promise<void> {
  let isOver = false;
  const done = (async () => {
    while (!isOver) await work();
  })();
  return () => {
    isOver = true;
    return done;
  };
}

it('says that nothing changed only with a revision at which everything is as written', async () => {
  const { far, near, proxy } = await openNodes();
  const fire = { resourceId: 'a', name: 'a', state: 'ALERTSTATE_FIRING' };
  await write(near, fire);
  const stop = keepDoing(async () => {
    await write(near, { ...fire, state: 'ALERTSTATE_PENDING' });
    await write(near, fire);
  });
  const unchanged = new Set<number>();
  while (unchanged.size < 8) {
    const { updated, head } = await write(far, fire);
    if (updated === 0) unchanged.add(head.number);
  }
  await stop();
  await proxy[Symbol.asyncDispose]();
  const { changes } = await near.history(station, { limit: 100_000 });
  const states = changes.filter(({ revision }) => unchanged.has(revision)).map(({ after }) => after!.state);
  expect(new Set(states)).toEqual(new Set(['ALERTSTATE_FIRING']));
});

it('tells of a taken name although another node frees it meanwhile', async () => {
  const { far, near, proxy } = await openNodes();
  await write(near, { resourceId: 'a', name: 'taken' });
  const stop = keepDoing(async () => {
    for (const name of ['free', 'taken']) await write(near, { resourceId: 'a', name }).catch(() => undefined);
  });
  const refusals: string[] = [];
  while (refusals.length < 12) {
    await write(far, { resourceId: 'b', name: 'taken' }).then(
      () => near.removeResource(station, 'b'),
      ({ code }) => refusals.push(code),
    );
  }
  await stop();
  await proxy[Symbol.asyncDispose]();
  expect(new Set(refusals)).toEqual(new Set(['invalid_records']));
});

it('gives the connection of a batch back that was planned without records and then committed', async () => {
  const store = await fixture.open({ connections: 4 });
  await store.createStation(station);
  const batch = await store.openBatch(station);
  await batch.plan(1);
  await batch.commit();
  expect(await put(store, aBatch(1))).toMatchObject({ created: 1 });
});
