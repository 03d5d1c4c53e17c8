import { describe, expect, it } from 'vitest';
import type { RosterError } from '../errors.ts';
import { parseResourceType } from './parse-resource-type.ts';

const key = 'resource_type.compute.vm';

describe('parseResourceType', () => {
  it('fills in what is absent', () => {
    expect(parseResourceType(key, {})).toEqual({ key, labels: {}, product: '', alertable: true });
  });

  it('takes labels in their canonical locales, a product and whether it can have alerts', () => {
    const body = {
      key,
      labels: { EN: 'VM', 'zh-cn': '云服务器' },
      product: 'product.compute',
      alertable: false,
    };
    expect(parseResourceType(key, body)).toEqual({
      key,
      labels: { en: 'VM', 'zh-CN': '云服务器' },
      product: 'product.compute',
      alertable: false,
    });
  });

  it('reports all errors at once', () => {
    const body = { lables: {}, labels: { en: '', '??': 'x', de: 3 }, product: 'compute', alertable: 'yes' };
    try {
      parseResourceType(key, body);
      expect.unreachable();
    } catch (error) {
      const { code, extensions } = error as RosterError;
      expect(code).toBe('invalid_body');
      expect(extensions?.faults).toEqual([
        '"lables" is not a known member; did you mean "labels"?',
        'labels: "en" must have a label that is not blank',
        'labels: "??" is not a language tag such as en or zh-CN',
        'labels: "de" must have a string as label, got 3',
        'product must have the form product.<name>: letters, digits, _ and - between dots, got "compute"',
        'alertable must be true or false, got "yes"',
      ]);
    }
  });

  it('refuses invalid bodies and keys', () => {
    for (const body of [null, [], 'x', 3])
      expect(() => parseResourceType(key, body)).toThrow('must be a JSON object');
    for (const bad of [
      'vm',
      'resource_type',
      'resource_type.',
      'resource_type.a b',
      `resource_type.${'x'.repeat(300)}`,
    ]) {
      expect(() => parseResourceType(bad, {})).toThrow('the type key');
    }
    expect(() => parseResourceType(key, { key: 'resource_type.other' })).toThrow('key must be');
  });

  it('takes back what it was read as, and no label that contradicts it', () => {
    const read = { key, label: 'VM', labels: { en: 'VM' }, product: '', alertable: true };
    expect(parseResourceType(key, read)).toEqual({ key, labels: { en: 'VM' }, product: '', alertable: true });
    expect(parseResourceType(key, { label: 'Compute vm', labels: {} }).labels).toEqual({});
    expect(() => parseResourceType(key, { ...read, label: 'Machine' })).toThrow(
      'label cannot be set, got "Machine"; set labels',
    );
  });

  it('does not let a label reach the prototype of anything', () => {
    const body = JSON.parse('{"labels":{"__proto__":"x"}}');
    expect(() => parseResourceType(key, body)).toThrow('is not a language tag');
  });
});
