import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { nobody } from './engine-observer.ts';
import { Labels } from './labels.ts';
import { SavedSnapshots } from './saved/saved-snapshots.ts';
import { TimeSlicer } from './snapshot/time-slicer.ts';
import { StationView } from './station-view.ts';
import type { Head, Store } from './store.ts';
import { backgroundResources, headAt } from './testing/arbitrary-station.ts';
import { feedOf } from './testing/naive-station.ts';

const address = { subscription: 's', resourceGroup: 'g', zone: 'z', name: 't' };

it('builds nothing on what was reset, whoever waited for it', async () => {
  const put = backgroundResources(100);
  let newest = 1;
  const store = {
    async changes(_: unknown, since?: Head) {
      await sleep(20);
      const changed = { ...put[0]!, alertRulesCount: newest };
      return feedOf(headAt(newest), [{ put: since ? [changed] : put, removed: [] }]);
    },
  } as Partial<Store> as Store;
  const labels = new Labels({ revision: 0, types: new Map() });
  const view = new StationView(address, {
    store,
    labels: () => labels,
    retentionMs: 1000,
    observer: nobody,
    saved: undefined,
  });
  const before = await view.waitUntilFresh(headAt(1));
  newest = 2;
  const waiting = [view.waitUntilFresh(headAt(2)), view.waitUntilFresh(headAt(3))];
  await sleep(5);
  view.reset();
  newest = 3;
  for (const snapshot of await Promise.all(waiting)) expect(snapshot.head.number).toBe(3);
  expect(view.snapshot?.segments[0]).not.toBe(before.segments[0]);
  expect(view.snapshotCount).toBe(1);
});

it('reads the whole station after it was reset, whatever was saved', async () => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'roster-view-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const saved = new SavedSnapshots({ directory, writtenBy: '1', onUnreadable: () => undefined });
  const put = backgroundResources(10_000);
  const store = {
    changes: async () => feedOf(headAt(1), [{ put, removed: [] }]),
  } as Partial<Store> as Store;
  const labels = new Labels({ revision: 0, types: new Map() });
  const built: string[] = [];
  const observer = { ...nobody, snapshotBuilt: (from: string) => built.push(from) };
  const createView = () =>
    new StationView(address, { store, labels: () => labels, retentionMs: 1000, observer, saved });
  const view = createView();
  await view.waitUntilFresh(headAt(1));
  await view.save({ slicer: new TimeSlicer(), signal: new AbortController().signal });
  view.reset();
  await view.waitUntilFresh(headAt(1));
  await createView().waitUntilFresh(headAt(1));
  expect(built).toEqual(['whole', 'whole', 'saved']);
});
