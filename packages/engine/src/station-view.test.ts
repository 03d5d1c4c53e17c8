import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { nobody } from './engine-observer.ts';
import { Labels } from './labels.ts';
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
  const view = new StationView(address, { store, labels: () => labels, retentionMs: 1000, observer: nobody });
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
