import { parseRecord, renderResourceHead, renderResourceTail } from '@roster/contract';
import { expect, test } from 'vitest';
import { generateResources } from './generate-resources.ts';
import { resourceKinds } from './resource-kinds.ts';

const resources = [...generateResources(20_000)];

test('a smaller set is the beginning of a larger one, on every run', () => {
  expect([...generateResources(500)]).toEqual(resources.slice(0, 500));
});

test('ids are unique and names are not', () => {
  expect(new Set(resources.map((resource) => resource.resourceId)).size).toBe(resources.length);
  expect(new Set(resources.map((resource) => resource.displayName)).size).toBeLessThan(resources.length);
});

test('shares are as documented', () => {
  const share = (matches: (resource: (typeof resources)[number]) => boolean) =>
    resources.filter(matches).length / resources.length;
  expect(share((resource) => resource.alertable)).toBeCloseTo(0.9, 1);
  expect(share((resource) => resource.alertRulesCount === 0)).toBeCloseTo(0.3, 1);
  expect(share((resource) => resource.displayName.startsWith('vm-rank-'))).toBeCloseTo(0.01, 2);
  expect(resourceKinds.reduce((sum, kind) => sum + kind.percent, 0)).toBe(100);
});

test('a listed resource has about 350 bytes', () => {
  const labels = new Map(resourceKinds.map((kind) => [kind.typeKey, kind.label]));
  const bytes = resources.map(
    (resource) =>
      renderResourceHead(resource.typeKey, labels.get(resource.typeKey)!).length +
      renderResourceTail(resource).length,
  );
  const mean = bytes.reduce((sum, length) => sum + length, 0) / bytes.length;
  expect(mean).toBeGreaterThan(320);
  expect(mean).toBeLessThan(380);
});

test('every record is one the write path accepts', () => {
  for (const resource of resources.slice(0, 1000)) {
    const parsed = parseRecord(
      {
        resource_type: resource.typeKey,
        resource_id: resource.resourceId,
        name: resource.name,
        display_name: resource.displayName,
        create_time: resource.createTime,
        sku: resource.sku,
        state: resource.state,
        product: resource.product,
      },
      1,
    );
    expect(parsed).toHaveProperty('record.createTime', resource.createTime);
  }
});
