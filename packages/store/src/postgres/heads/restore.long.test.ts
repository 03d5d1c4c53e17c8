import { Engine, type Head, type Store } from '@roster/engine';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { aBatch, countResources, put, station } from '../../testing/station-data.ts';
import { createPostgresStore } from '../create-postgres-store.ts';
import { PostgresServer } from '../testing/postgres-server.ts';

let server: PostgresServer;
let url: string;
let store: Store;
let kept: Head;
let backup: string;

/** A station with a revision that is in the backup, on a server that went on after it. */
beforeEach(async () => {
  server = await PostgresServer.start();
  url = await server.createDatabase();
  store = await open();
  await store.createStation(station);
  kept = (await put(store, aBatch(3, 'kept'))).head;
  await server.stop();
  backup = server.backUp();
  await server.start();
});

afterEach(() => server[Symbol.asyncDispose]());

async function open(): Promise<Store> {
  const opened = await createPostgresStore({ url, connections: 6 });
  onTestFinished(() => opened.close());
  return opened;
}

async function restoreBackup(): Promise<void> {
  await server.stop('SIGQUIT');
  server.restore(backup);
  await server.start();
}

async function expectNewEpoch(node: Store): Promise<Head> {
  const head = (await node.head(station))!;
  expect(head.epoch).not.toBe(kept.epoch);
  return head;
}

it('keeps the epoch when a server is restarted and nothing is lost', async () => {
  const { head } = await put(store, aBatch(3, 'more'));
  await server.stop('SIGQUIT');
  await server.start();
  expect(await store.head(station)).toEqual(head);
  expect(await (await open()).head(station)).toEqual(head);
});

it('gives a station that lost its tail a new epoch, and expires all of the old one', async () => {
  const { head: lost } = await put(store, aBatch(3, 'lost'));
  await restoreBackup();
  const head = await expectNewEpoch(store);
  expect(head).toMatchObject({ number: kept.number, revId: kept.revId });
  const expired = { code: 'revision_expired' };
  await expect(store.feed(station, lost)).rejects.toMatchObject(expired);
  for (const since of [lost, kept]) {
    await expect(store.history(station, { since, limit: 10 })).rejects.toMatchObject(expired);
    await expect(store.openBatch(station, { ifRevision: since })).rejects.toMatchObject({
      code: 'revision_mismatch',
    });
  }
  expect(await countResources(store)).toBe(3);
  expect((await put(store, aBatch(1, 'new'))).head).toMatchObject({ epoch: head.epoch, number: 2 });
});

it('leaves stations alone that lost nothing', async () => {
  const other = { ...station, name: 'other' };
  const { head } = await store.createStation(other);
  await server.stop();
  backup = server.backUp();
  await server.start();
  await put(store, aBatch(3, 'lost'));
  await restoreBackup();
  await expectNewEpoch(store);
  expect(await store.head(other)).toEqual(head);
});

it('gives one new epoch, however many nodes notice at once', async () => {
  const nodes = [store, await open(), await open()];
  const { head: lost } = await put(store, aBatch(3, 'lost'));
  for (const node of nodes) expect(await node.head(station)).toEqual(lost);
  await restoreBackup();
  const heads = await Promise.all(nodes.map((node) => expectNewEpoch(node)));
  for (const node of nodes) expect(await node.head(station)).toEqual(heads[0]);
});

it('notices a lost tail that another node has written over', async () => {
  const { head: lost } = await put(store, aBatch(3, 'lost'));
  expect((await store.head(station))?.number).toBe(lost.number);
  await server.stop('SIGQUIT');
  server.restore(backup);
  await server.start();
  const ignorant = await open();
  await put(ignorant, aBatch(1, 'other'));
  await put(ignorant, aBatch(1, 'another'));
  await expectNewEpoch(store);
  await expectNewEpoch(ignorant);
  expect(await countResources(store)).toBe(5);
});

it('expires pins, and reads anew', async () => {
  const engine = new Engine(store, { memoryBudgetBytes: 1e9, snapshotRetentionMs: 60_000 });
  await engine.read(station);
  const { head: lost } = await put(store, aBatch(3, 'lost'));
  expect((await engine.read(station, kept)).head).toEqual(kept);
  expect((await engine.read(station)).head).toEqual(lost);
  await restoreBackup();
  const snapshot = await engine.read(station);
  expect(snapshot.head.epoch).not.toBe(kept.epoch);
  for (const pin of [lost, kept]) {
    await expect(async () => engine.read(station, pin)).rejects.toMatchObject({ code: 'revision_expired' });
  }
  expect(await engine.check(station)).toEqual({ outcome: 'consistent' });
});

it('gives all stations new epochs on another timeline, whoever remembers what', async () => {
  await put(store, aBatch(3, 'lost'));
  await store.close();
  await server.stop('SIGQUIT');
  server.restore(backup);
  server.becomeStandby();
  await server.start();
  await server.query('SELECT pg_promote()');
  const node = await open();
  const head = await expectNewEpoch(node);
  expect((await node.feed(station, kept)).head).toEqual(head);
  const history = node.history(station, { since: kept, limit: 10 });
  await expect(history).rejects.toMatchObject({ code: 'revision_expired' });
  expect(await (await open()).head(station)).toEqual(head);
});
