import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

const known = [
  'resource_type',
  'resource_types',
  'resource_id',
  'state',
  'station',
  'alertable',
  'alert_rules',
];

describe('nearestName', () => {
  it.each([
    ['sate', 'state'],
    ['State', 'state'],
    ['resourceType', 'resource_type'],
    ['resource_typ', 'resource_type'],
    ['id', 'resource_id'],
    ['rules', 'alert_rules'],
    ['Alert Rul', 'alert_rules'],
    ['stat', 'state'],
    ['stati', 'station'],
  ])('finds for %s %s', (given, meant) => {
    expect(nearestName(given, known)).toBe(meant);
  });

  it.each(['gpu_node', 'GPU Node', 'node'])('finds a dotted name by its last part, as in %s', (given) => {
    const types = ['resource_type.compute.vm', 'resource_type.compute.gpu_node', 'resource_type.compute.gpu'];
    expect(nearestName(given, types)).toBe('resource_type.compute.gpu_node');
  });

  it.each(['', '!', 'al', 'colour', 'x'.repeat(100)])('finds nothing for %j', (given) => {
    expect(nearestName(given, known)).toBeUndefined();
  });

  it('finds a known name by any prefix of at least four characters', () => {
    fc.assert(
      fc.property(fc.constantFrom(...known), fc.nat(), (name, cut) => {
        const given = name.replaceAll('_', '').slice(0, 4 + (cut % (name.length - 4)));
        expect(nearestName(given, known)?.replaceAll('_', '')).toMatch(new RegExp(`^${given}`));
      }),
    );
  });
});
