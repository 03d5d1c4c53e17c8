import type { Store } from '@roster/engine';
import { expect, it } from 'vitest';
import { aBatch, countResources, put, station } from '../../testing/station-data.ts';
import { FaultProxy } from '../testing/fault-proxy.ts';
import { useServer } from '../testing/use-server.ts';

const fixture = useServer();

/** A store whose database fails the first writes of resources with an error of its own. */
async function openFailing(sqlState: string, times: number): Promise<Store> {
  const url = await fixture.server.createDatabase();
  const store = await fixture.open({ url });
  await fixture.server.query(
    `CREATE SEQUENCE attempts;
     CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF nextval('attempts') <= ${times} THEN
         RAISE EXCEPTION 'on purpose' USING ERRCODE = '${sqlState}';
       END IF;
       RETURN NULL;
     END $$;
     CREATE TRIGGER failing BEFORE INSERT ON resources FOR EACH STATEMENT EXECUTE FUNCTION fail()`,
    url,
  );
  await store.createStation(station);
  return store;
}

it('tells of a full disk, keeps nothing of the write, and goes on when there is space', async () => {
  const store = await openFailing('53100', 1);
  await expect(put(store, aBatch(3))).rejects.toMatchObject({
    code: 'storage_full',
    message: expect.stringContaining('no space left'),
  });
  expect(await countResources(store)).toBe(0);
  expect((await store.head(station))?.number).toBe(0);
  expect(await put(store, aBatch(3))).toMatchObject({ created: 3, head: { number: 1 } });
});

it.each(['40001', '40P01'])(
  'writes again what the database ended for the sake of others by %s',
  async (code) => {
    const store = await openFailing(code, 2);
    expect(await put(store, aBatch(3))).toMatchObject({ created: 3, head: { number: 1 } });
  },
);

it('does not try for ever', async () => {
  const store = await openFailing('40001', 1_000);
  await expect(put(store, aBatch(3))).rejects.toMatchObject({ code: 'store_unavailable' });
  expect((await store.head(station))?.number).toBe(0);
});

it('says what is wrong with a read-only server', async () => {
  const store = await openFailing('25006', 1);
  await expect(put(store, aBatch(3))).rejects.toMatchObject({
    code: 'store_unavailable',
    message: expect.stringMatching(/127\.0\.0\.1:\d+\/roster_\d+ cannot be used: it is read-only/),
  });
});

it('says that it does not know what became of a write whose connection is cut during the commit', async () => {
  const url = await fixture.server.createDatabase();
  await using proxy = await FaultProxy.start(fixture.server.port);
  const store = await fixture.open({ url: proxy.url(url) });
  await store.createStation(station);
  proxy.cutAfter = 'COMMIT\0';
  await expect(put(store, aBatch(3))).rejects.toMatchObject({
    code: 'store_unavailable',
    message: expect.stringContaining('not known whether'),
    extensions: { outcome: 'unknown' },
  });
  proxy.cutAfter = undefined;
  // The server may still be at it.
  await expect.poll(async () => (await store.head(station))?.number).toBe(1);
  expect(await countResources(store)).toBe(3);
  expect(await put(store, aBatch(3))).toMatchObject({ unchanged: 3, head: { number: 1 } });
});
