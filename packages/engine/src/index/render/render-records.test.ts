import { everything, parseRecord, type Resource } from '@roster/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyResource, headAt, labelOfType } from '../../testing/snapshots/arbitrary-station.ts';
import { buildResource } from '../../testing/snapshots/build-resource.ts';
import { feedOf } from '../../testing/snapshots/naive-station.ts';
import { buildSnapshot, emptySnapshot } from '../build/build-snapshot.ts';
import type { Snapshot } from '../snapshot.ts';
import { type RecordSeparator, renderRecords, resourceAt } from './render-records.ts';
import { labelOverrides } from './render-rows.ts';
import { Labels } from './type-labels.ts';

const vm = 'resource_type.compute.vm';
const labels = new Labels({
  revision: 1,
  isDamaged: false,
  types: new Map([[vm, { key: vm, labels: { zh: '虚拟机' }, product: '', alertable: true }]]),
});

async function snapshotOf(put: readonly Resource[]): Promise<Snapshot> {
  const feed = feedOf(headAt(1), [{ put, removed: [] }]);
  return buildSnapshot(emptySnapshot(headAt(0), labelOfType), feed, labelOfType);
}

function slotsOf(snapshot: Snapshot): Uint32Array {
  const slots = new Uint32Array(snapshot.size);
  snapshot.select(everything).read(0, snapshot.size, slots);
  return slots;
}

/** Renders all resources, a few at a time. */
function render(snapshot: Snapshot, separator: RecordSeparator, locale?: string): string {
  const overrides = locale === undefined ? undefined : labelOverrides(snapshot, labels, locale);
  const slots = slotsOf(snapshot);
  const parts: Buffer[] = [];
  for (let from = 0; from < slots.length; from += 7) {
    const part = slots.subarray(from, from + 7);
    parts.push(
      renderRecords({ snapshot, slots: part, count: part.length, overrides }, separator, Buffer.alloc),
    );
  }
  return Buffer.concat(parts).toString();
}

const anyResources = fc.uniqueArray(anyResource, { selector: (each) => each.resourceId, maxLength: 30 });

it('renders records that can be handed in again and then are the same resources', async () => {
  await fc.assert(
    fc.asyncProperty(anyResources, fc.constantFrom(undefined, 'zh'), async (resources, locale) => {
      const snapshot = await snapshotOf(resources);
      const lines = render(snapshot, '\n', locale).split('\n');
      expect(lines.pop()).toBe('');
      const records = lines.map((line, at) => parseRecord(JSON.parse(line), at + 1));
      const expected = Array.from(slotsOf(snapshot), (slot) => {
        const resource = resourceAt(snapshot, slot);
        const label =
          locale === undefined ? labelOfType(resource.typeKey) : labels.labelOf(resource.typeKey, locale);
        return { record: { ...resource, typeLabel: label } };
      });
      expect(records).toEqual(expected);
    }),
  );
});

it('gives back each resource as it was put', async () => {
  await fc.assert(
    fc.asyncProperty(anyResources, async (resources) => {
      const snapshot = await snapshotOf(resources);
      const byId = new Map(resources.map((each) => [each.resourceId, each]));
      for (const slot of slotsOf(snapshot)) {
        const resource = resourceAt(snapshot, slot);
        expect(resource).toEqual(byId.get(resource.resourceId));
      }
    }),
  );
});

it('puts our own fields after the documented ones, and a comma after each item of an array', async () => {
  const snapshot = await snapshotOf([
    buildResource({
      resourceId: 'r-1',
      name: 'n1',
      displayName: 'a',
      product: 'product.ecs',
      alertable: false,
      labels: '{"rack":"r1"}',
    }),
    buildResource({ resourceId: 'r-2', name: 'n2', displayName: 'b', alertRulesCount: 3 }),
  ]);
  const item = (id: string, rest: string) =>
    `{"resource_type":{"key":"${vm}","label":"虚拟机"},"resource_id":"${id}",` +
    `"create_time":"2026-01-01T00:00:00.000Z","sku":"","state":"ALERTSTATE_INACTIVE",${rest}},`;
  expect(render(snapshot, ',', 'zh')).toBe(
    item(
      'r-1',
      '"display_name":"a","alert_rules_count":0,"name":"n1","gpu_model":"","product":"product.ecs","alertable":false,"state_since":"2026-01-02T00:00:00.000Z","labels":{"rack":"r1"}',
    ) +
      item(
        'r-2',
        '"display_name":"b","alert_rules_count":3,"name":"n2","gpu_model":"","product":"","alertable":true,"state_since":"2026-01-02T00:00:00.000Z","labels":{}',
      ),
  );
});
