import { setTimeout as delay } from 'node:timers/promises';
import { everything, type Resource, type StationAddress } from '@roster/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { scale } from '../../../../testing/scale.ts';
import { Engine, type EngineOptions } from '../engine.ts';
import { resourceAt } from '../index/render/render-records.ts';
import { searchSnapshot } from '../index/search/search.ts';
import type { Snapshot } from '../index/snapshot.ts';
import type { Head, Store } from '../port/store.ts';
import { TimeSlicer } from '../scheduling/time-slicer.ts';
import { anySearch, anything } from './snapshots/arbitrary-search.ts';
import { anyResource } from './snapshots/arbitrary-station.ts';
import { searchNaively } from './snapshots/naive-search.ts';
import { emptyStore } from './store-contract/fixture/store-fixture.ts';

/** One set of data, empty at first. */
export interface EngineData {
  open(): Promise<Store>;
  /** Changes the data behind the store's back. */
  execute(sql: string): Promise<void>;
  dispose(): Promise<void>;
}

let data: EngineData;
let store: Store;

function createEngine(options: Partial<EngineOptions> = {}): Engine {
  return new Engine(store, { memoryBudgetBytes: 1e9, snapshotRetentionMs: 60_000, ...options });
}

async function createStation(name: string): Promise<StationAddress> {
  const address = { subscription: 's', resourceGroup: 'g', zone: 'z', name };
  await store.createStation(address);
  return address;
}

/** Of a record that is put again, so that it changes. */
let puts = 0;

async function put(address: StationAddress, ...ids: string[]): Promise<void> {
  const batch = await store.openBatch(address);
  const typeKey = 'resource_type.compute.vm';
  await batch.add(
    ids.map((id, at) => ({
      line: at + 1,
      record: { resourceId: id, name: `n-${id}`, typeKey, sku: skuOf(puts++) },
    })),
  );
  await batch.commit();
}

/** Few enough that none have to be freed. */
function skuOf(turn: number): string {
  return String(turn % 10_000);
}

function sizeOf(snapshot: Snapshot): number {
  return snapshot.select(everything).total;
}

const batches = fc.uniqueArray(anyResource, {
  selector: (each) => each.resourceId,
  minLength: 30,
  maxLength: 60,
});

/** What the engine does with any store, as tests. A shared one lets several nodes write. */
export function runEngineSuite(createData: () => Promise<EngineData>, { shared = false } = {}): void {
  beforeAll(async () => {
    data = await createData();
    store = await data.open();
  });
  beforeEach(() => emptyStore(store));

  afterAll(async () => {
    await store.close();
    await data.dispose();
  });

  it('loads a station once for all who ask at the same time', async () => {
    const address = await createStation('a');
    await put(address, 'r-1', 'r-2');
    const engine = createEngine();
    const snapshots = await Promise.all(Array.from({ length: 50 }, () => engine.read(address)));
    expect(new Set(snapshots).size).toBe(1);
    expect(sizeOf(snapshots[0]!)).toBe(2);
  });

  it('shows every write that was acknowledged before the read began', async () => {
    const address = await createStation('a');
    const engine = createEngine();
    for (let round = 1; round <= 30; round++) {
      await put(address, `r-${round}`);
      expect(sizeOf(await engine.read(address))).toBe(round);
    }
    await store.removeResource(address, 'r-7');
    expect(sizeOf(await engine.read(address))).toBe(29);
  });

  it('shows all or nothing of a write while it is being indexed, and at once unless it is shared', async () => {
    const address = await createStation('a');
    const engine = createEngine();
    await put(address, 'r-0');
    await engine.read(address);
    const writing = put(address, ...Array.from({ length: 20_000 }, (_, at) => `r-${at + 1}`));
    let isWriting = true;
    void writing.finally(() => {
      isWriting = false;
    });
    const sizes = new Set<number>();
    while (isWriting) {
      const snapshot = engine.read(address);
      if (!shared) expect(snapshot).not.toBeInstanceOf(Promise);
      sizes.add(sizeOf(await snapshot));
      await delay(1);
    }
    await writing;
    expect(sizeOf(await engine.read(address))).toBe(20_001);
    expect([...sizes].filter((size) => size !== 1 && size !== 20_001)).toEqual([]);
  });

  it('keeps a superseded snapshot for the retention time and not for ever', async () => {
    const address = await createStation('a');
    await put(address, 'r-1');
    const snapshotRetentionMs = 1_000;
    const engine = createEngine({ snapshotRetentionMs });
    const readAgain = async () => {
      const first = await engine.read(address);
      const superseding = performance.now();
      await put(address, 'r-2');
      const again = await (async () => engine.read(address, first.head))().catch(() => undefined);
      // A machine may interrupt the process for longer than that.
      const isInTime = performance.now() - superseding < snapshotRetentionMs;
      return { first, again, isInTime };
    };
    let { first, again, isInTime } = await readAgain();
    while (!isInTime) ({ first, again, isInTime } = await readAgain());
    expect(again).toBe(first);
    await delay(snapshotRetentionMs + 100);
    engine.tidy();
    await expect(async () => engine.read(address, first.head)).rejects.toMatchObject({
      code: 'revision_expired',
    });
  });

  it('retains only what was read, so that writes nobody looks at leave nothing behind', async () => {
    const address = await createStation('a');
    const engine = createEngine();
    await put(address, 'r-1');
    const read = await engine.read(address);
    const unread: (Head | undefined)[] = [];
    for (let round = 0; round < 5; round++) {
      await put(address, 'r-1');
      unread.push(await store.head(address));
    }
    await put(address, 'r-1');
    expect(await engine.read(address, read.head)).toBe(read);
    for (const head of unread) {
      await expect(async () => engine.read(address, head)).rejects.toMatchObject({
        code: 'revision_expired',
      });
    }
  });

  it('frees ended versions, and shows the same as before to those who read on', async () => {
    const address = await createStation('a');
    const engine = createEngine();
    const ids = Array.from({ length: 5_000 }, (_, at) => `r-${at}`);
    await put(address, ...ids);
    const rowsIn = async () => {
      const { segments } = await engine.read(address);
      return segments.reduce((sum, { rowCount }) => sum + rowCount, 0);
    };
    for (let round = 0; round < 20; round++) {
      await engine.read(address);
      await put(address, ...ids.slice((round % 10) * 500, (round % 10) * 500 + 500));
    }
    const before = await engine.read(address);
    const rows = await rowsIn();
    await Promise.all([engine.compact(new TimeSlicer()), put(address, 'r-7')]);
    await engine.compact(new TimeSlicer());
    expect(await rowsIn()).toBeLessThan(rows - 1000);
    const pinned = await engine.read(address, before.head);
    for (const id of ['r-7', 'r-4999']) {
      expect(resourceAt(pinned, pinned.find(id))).toEqual(resourceAt(before, before.find(id)));
    }
    const newest = await engine.read(address);
    expect(resourceAt(newest, newest.find('r-7')).sku).toBe(skuOf(puts - 1));
    expect((await engine.check(address)).outcome).toBe('consistent');
  });

  it('gives up the oldest retained snapshots when memory is used up although every station is in use', async () => {
    const address = await createStation('a');
    const engine = createEngine({ memoryBudgetBytes: 0 });
    const heads: Head[] = [];
    for (let round = 0; round < 8; round++) {
      await put(address, 'r-1');
      heads.push((await engine.read(address)).head);
    }
    engine.tidy();
    await expect(async () => engine.read(address, heads[0])).rejects.toMatchObject({
      code: 'revision_expired',
    });
    expect((await engine.read(address, heads[6])).head).toEqual(heads[6]);
  });

  it('drops the least recently read stations beyond its memory budget, and loads them again', async () => {
    const [a, b] = [await createStation('a'), await createStation('b')];
    await put(a, 'r-1');
    await put(b, 'r-1');
    const engine = createEngine({ memoryBudgetBytes: 1, snapshotRetentionMs: 30 });
    await engine.read(a);
    await delay(60);
    await engine.read(b);
    expect(engine.followed().map(({ name }) => name)).toEqual(['b']);
    expect(sizeOf(await engine.read(a))).toBe(1);
  });

  it('tells what it holds and what it does, and how far it is behind', async () => {
    const heard: string[] = [];
    const engine = createEngine({
      memoryBudgetBytes: 1,
      snapshotRetentionMs: 80,
      observer: {
        readWaited: (ms) => heard.push(ms >= 0 ? 'waited' : 'negative'),
        snapshotBuilt: (from) => heard.push(from),
        stationEvicted: () => heard.push('evicted'),
        stationDamaged: () => heard.push('damaged'),
      },
    });
    expect([engine.size(), await engine.lag()]).toEqual([
      { stations: 0, snapshots: 0, resources: 0, bytes: 0 },
      0,
    ]);
    const address = await createStation('a');
    await put(address, 'r-1', 'r-2');
    await engine.read(address);
    expect(engine.size()).toMatchObject({ stations: 1, snapshots: 1, resources: 2 });
    expect(engine.size().bytes).toBeGreaterThan(100);
    await put(address, 'r-3');
    expect([engine.size().resources, await engine.lag()]).toEqual([3, 0]);
    await delay(120);
    engine.tidy();
    expect(engine.size().stations).toBe(0);
    expect(heard).toEqual(['whole', 'waited', 'changes', 'evicted']);
  });

  it('counts what searches keep of a station', async () => {
    const engine = createEngine();
    const address = await createStation('a');
    await put(address, ...Array.from({ length: 500 }, (_, at) => `r-${at}`));
    const snapshot = await engine.read(address);
    const before = engine.size().bytes;
    const query = { ...anything, text: 'r-', order: { field: 'name', isDescending: false } } as const;
    await searchSnapshot(snapshot, query, () => new TimeSlicer());
    expect(engine.size().bytes).toBeGreaterThan(before + 500 * 10);
  });

  it('loads a station before anyone reads it, and leaves it as it is until someone does', async () => {
    const heard: string[] = [];
    const observer = {
      readWaited: () => heard.push('waited'),
      snapshotBuilt: (from: string) => heard.push(from),
      stationEvicted: () => heard.push('evicted'),
      stationDamaged: () => heard.push('damaged'),
    };
    const engine = createEngine({ observer });
    const address = await createStation('a');
    await put(address, 'r-1');
    await Promise.all([engine.load(address), engine.load(address)]);
    await put(address, 'r-2');
    expect([engine.size().resources, await engine.lag()]).toEqual([1, 0]);
    expect(engine.followed()).toEqual([]);
    expect(sizeOf(await engine.read(address))).toBe(2);
    expect(engine.size().snapshots).toBe(1);
    await put(address, 'r-3');
    expect([engine.size().resources, await engine.lag()]).toEqual([3, 0]);
    expect(engine.size().snapshots).toBe(2);
    expect(heard).toEqual(['whole', 'changes', 'waited', 'changes']);
  });

  it('drops what was loaded and not read before anything that was read', async () => {
    const [a, b] = [await createStation('a'), await createStation('b')];
    await put(a, 'r-1');
    await put(b, 'r-1');
    const engine = createEngine({ memoryBudgetBytes: 1 });
    await engine.read(a);
    await engine.load(b);
    expect(engine.size().stations).toBe(1);
    expect(engine.followed().map(({ name }) => name)).toEqual(['a']);
  });

  it('loads nothing for a station that is not there', async () => {
    const engine = createEngine();
    await engine.load({ subscription: 's', resourceGroup: 'g', zone: 'z', name: 'none' });
    expect(engine.size().stations).toBe(0);
  });

  it('does not drop a station that was read within the retention time', async () => {
    const [a, b] = [await createStation('a'), await createStation('b')];
    const engine = createEngine({ memoryBudgetBytes: 0 });
    await engine.read(a);
    await engine.read(b);
    engine.tidy();
    expect(engine.followed()).toHaveLength(2);
  });

  it('shows nothing of a station that has lost a resource, until it is written anew', async () => {
    const heard: string[] = [];
    const observer = {
      readWaited() {},
      snapshotBuilt() {},
      stationEvicted() {},
      stationDamaged: ({ name }: StationAddress) => heard.push(name),
    };
    const engine = createEngine({ observer });
    const address = await createStation('a');
    const other = await createStation('b');
    await put(address, 'r-1', 'r-2');
    await put(other, 'r-3');
    await data.execute("DELETE FROM resources WHERE resource_id = 'r-2'");
    for (let time = 0; time < 2; time++) {
      await expect((async () => engine.read(address))()).rejects.toMatchObject({ code: 'data_damaged' });
    }
    expect(sizeOf(await engine.read(other))).toBe(1);
    expect([heard, engine.damagedStations]).toEqual([['a'], 1]);
    await store.deleteStation(address);
    await createStation('a');
    await put(address, 'r-1');
    expect(sizeOf(await engine.read(address))).toBe(1);
    expect(engine.damagedStations).toBe(0);
  });

  it('finds an index that differs from the store, and builds it anew', async () => {
    const address = await createStation('a');
    await put(address, 'r-1', 'r-2', 'r-3');
    const engine = createEngine();
    await engine.read(address);
    expect(await engine.check(address)).toEqual({ outcome: 'consistent' });
    await data.execute("UPDATE resources SET display_name = 'changed' WHERE resource_id = 'r-2'");
    expect(await engine.check(address)).toMatchObject({ outcome: 'inconsistent' });
    const snapshot = await engine.read(address);
    expect(snapshot.select({ ...everything, displayNamePrefix: 'changed' }).total).toBe(1);
    expect(await engine.check(address)).toEqual({ outcome: 'consistent' });
  });

  it('stays consistent over many small and large changes', async () => {
    const address = await createStation('a');
    const engine = createEngine();
    await engine.read(address);
    await put(address, ...Array.from({ length: 3000 }, (_, at) => `r-${at}`));
    for (let round = 0; round < scale(10, 40); round++) {
      await put(address, ...Array.from({ length: 50 }, (_, at) => `r-${(round * 997 + at * 13) % 4000}`));
      await store.removeResource(address, `r-${round}`).catch(() => undefined);
    }
    expect(await engine.check(address)).toEqual({ outcome: 'consistent' });
  });

  it('finds what a plain filter and sort would, after any writes', async () => {
    const address = await createStation('a');
    const engine = createEngine();
    const model = new Map<string, Resource>();
    const searches = fc.sample(anySearch, { numRuns: 40, seed: 7 });
    for (const [at, resources] of fc.sample(batches, { numRuns: 6, seed: 11 }).entries()) {
      const batch = await store.openBatch(address);
      await batch.add(resources.map((record, line) => ({ line, record })));
      await batch.commit();
      for (const resource of resources) model.set(resource.resourceId, resource);
      const [gone] = model.keys();
      if (at % 2 === 1) await store.removeResource(address, gone!).then(() => model.delete(gone!));
      const snapshot = await engine.read(address);
      for (const query of searches) {
        const selection = await searchSnapshot(snapshot, query, () => new TimeSlicer());
        const slots = new Uint32Array(selection.total);
        selection.read(0, selection.total, slots);
        const expected = searchNaively(model.values(), query);
        expect(Array.from(slots, (slot) => resourceAt(snapshot, slot))).toEqual(expected);
      }
    }
  });

  it('reads anew when the changes it would need were compacted away', async () => {
    const address = await createStation('a');
    await put(address, 'r-1', 'r-2');
    const engine = createEngine();
    await engine.read(address);
    await store.removeResource(address, 'r-1');
    await store.compactHistory(0);
    await put(address, 'r-3');
    const snapshot = await engine.read(address);
    expect(sizeOf(snapshot)).toBe(2);
    expect(await engine.check(address)).toEqual({ outcome: 'consistent' });
  });

  it('forgets a station that is deleted', async () => {
    const address = await createStation('a');
    const engine = createEngine();
    await engine.read(address);
    await store.deleteStation(address);
    await expect(async () => engine.read(address)).rejects.toThrow(/there is no station/);
    expect(engine.followed()).toEqual([]);
  });
}
