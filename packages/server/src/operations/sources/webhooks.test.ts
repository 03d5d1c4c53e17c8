import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { stationPath } from '@roster/contract';
import { LiveSources, type SourceObserver } from '@roster/sources';
import { readSources } from '@roster/sources/config';
import { createSqliteStore } from '@roster/store';
import { expect, it, onTestFinished, vi } from 'vitest';
import { FakeMonitoring, since } from './testing/fake-monitoring.ts';
import { HeldNotes } from './testing/held-notes.ts';

const address = { subscription: 's', resourceGroup: 'g', zone: 'z', name: 't' };
const soon = { timeout: 60_000, interval: 20 };

const alert = (status: 'firing' | 'resolved') => ({
  status,
  labels: { alertname: 'Hot', instance: 'vm-a' },
  annotations: {},
  startsAt: since,
  endsAt: status === 'firing' ? '0001-01-01T00:00:00Z' : new Date().toISOString(),
  fingerprint: 'f',
});
const notification = (...alerts: object[]) => ({ version: '4', status: 'firing', alerts });

/** Sources that are polled into a station with one resource, on a store whose notes can be held up. */
async function poll(interval: string) {
  const monitoring = await FakeMonitoring.start();
  const directory = await mkdtemp(path.join(os.tmpdir(), 'roster-webhooks-'));
  const store = await createSqliteStore({ directory });
  await store.createStation(address);
  const batch = await store.openBatch(address);
  const resource = { resourceId: 'a', name: 'vm-a', typeKey: 'resource_type.compute.vm' };
  await batch.add([{ line: 1, record: resource }]);
  await batch.commit();
  const { sources } = readSources([
    {
      name: 'prom',
      prometheus: { url: monitoring.url, interval },
      stations: [stationPath(address)],
      tie: [{ label: 'instance', to: 'name' }],
    },
  ]);
  const notes = new HeldNotes(store.notes);
  const live = new LiveSources({
    sources,
    store: {
      notes,
      head: (...given) => store.head(...given),
      feed: (...given) => store.feed(...given),
      openBatch: (...given) => store.openBatch(...given),
      removeResource: (...given) => store.removeResource(...given),
    },
    observer: silent,
    patienceMs: 60_000,
  });
  onTestFinished(async () => {
    notes.release();
    await live.stop();
    await store.close();
    await monitoring[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });
  live.start();
  const [status] = await live.statuses();
  if (status?.health !== 'up') {
    await expect.poll(async () => (await live.statuses())[0]!.health, soon).toBe('up');
  }
  const state = async () => (await store.resource(address, 'a')).resource.state;
  return { monitoring, notes, live, state };
}

const nothing = () => undefined;
const silent: SourceObserver = {
  sourceDown: nothing,
  sourceUp: nothing,
  stationMissing: nothing,
  synced: nothing,
  discovered: nothing,
  discoveryStopped: nothing,
  failed: nothing,
};

it('is not taken in again while its note is being removed', async () => {
  const { monitoring, notes, live, state } = await poll('1s');
  notes.hold();
  await live.receive(address, notification(alert('firing')));
  await expect.poll(() => notes.removals, soon).toBe(1);
  const looks = notes.looks;
  await expect.poll(() => notes.looks, soon).toBeGreaterThan(looks + 2);
  expect(await state()).toBe('ALERTSTATE_FIRING');
  // What is taken in now stays.
  monitoring.failure = 500;
  notes.release();
  await expect.poll(state, soon).toBe('ALERTSTATE_INACTIVE');
  await expect.poll(async () => (await live.statuses())[0]!.health, soon).toBe('down');
  expect(await state()).toBe('ALERTSTATE_INACTIVE');
});

it('is taken in before the sources stop', async () => {
  const { notes, live } = await poll('1h');
  notes.hold();
  // It says nothing, so it is removed at once.
  await live.receive(address, notification());
  await expect.poll(() => notes.removals, soon).toBe(1);
  setTimeout(() => notes.release(), 300);
  await live.stop();
  expect(notes.removals).toBe(0);
});

it('has the last word even where the clock is behind that of an earlier one', async () => {
  const { live, state } = await poll('1h');
  await live.receive(address, notification(alert('firing')));
  await expect.poll(state, soon).toBe('ALERTSTATE_FIRING');
  const behind = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 60_000);
  onTestFinished(() => behind.mockRestore());
  await live.receive(address, notification(alert('resolved')));
  await expect.poll(state, soon).toBe('ALERTSTATE_INACTIVE');
});
