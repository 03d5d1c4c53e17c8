import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StationAddress } from '../station-address.ts';
import { coversScope, fullScope, isInScope, parseScope } from './scope.ts';

const address = (short: string): StationAddress => {
  const [subscription, resourceGroup, zone, name] = short.split('/');
  return { subscription: subscription!, resourceGroup: resourceGroup!, zone: zone!, name: name! };
};

describe('a scope', () => {
  it.each([
    ['**', 'a/b/c/d', true],
    ['subscriptions/a/**', 'a/b/c/d', true],
    ['subscriptions/a/**', 'ab/b/c/d', false],
    ['a/**', 'a/b/c/d', true],
    ['a*/**', 'ab/b/c/d', true],
    ['subscriptions/a/resourceGroups/b/**', 'a/b/c/d', true],
    ['subscriptions/a/resourceGroups/b/**', 'a/x/c/d', false],
    ['a/*/c/d', 'a/anything/c/d', true],
    ['a/*/c/d', 'a/anything/c/e', false],
    ['a/b/c/prod-*', 'a/b/c/prod-1', true],
    ['a/b/c/prod-*', 'a/b/c/Prod-1', false],
    ['a/b/c/%2A', 'a/b/c/*', true],
    ['a/b/c/%2A', 'a/b/c/x', false],
    ['*/*/*/*', 'a/b/c/d', true],
  ])('%s has %s: %s', (scope, station, isIn) => {
    expect(isInScope(parseScope(scope), address(station))).toBe(isIn);
  });

  it.each([
    '',
    '*',
    'a',
    'a/b/c',
    'a/b/c/d/**',
    'a/b/c/d/e',
    'a//c/d',
    'a/**/d',
    'a/b*c/c/d',
    'a/b/c/***',
    'subscriptions/a',
    'subscriptions/a/zones/b/**',
    'subscriptions/**/x',
    'a/b/c/%E0',
    'a/b/c/\ud83d*',
  ])('cannot be %j', (text) => {
    expect(() => parseScope(text)).toThrow(/scope/);
  });

  it('is written in the long form, which reads as the same scope', () => {
    expect(parseScope('a/*/c/d*').text).toBe('subscriptions/a/resourceGroups/*/zones/c/telemetryStations/d*');
    expect(parseScope('a/**').text).toBe('subscriptions/a/**');
    expect(parseScope('**')).toEqual(fullScope);
    fc.assert(
      fc.property(anyScope, (scope) => {
        expect(parseScope(scope.text)).toEqual(scope);
      }),
    );
  });

  it('covers another only if it has every station of it', () => {
    expect(coversScope(parseScope('a/**'), parseScope('a/b*/c/d'))).toBe(true);
    expect(coversScope(parseScope('a/*/**'), parseScope('a/**'))).toBe(true);
    expect(coversScope(parseScope('a/b*/**'), parseScope('a/**'))).toBe(false);
    fc.assert(
      fc.property(anyScope, anyScope, anyAddress, (outer, inner, station) => {
        if (coversScope(outer, inner) && isInScope(inner, station))
          expect(isInScope(outer, station)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

const anyName = fc.string({
  unit: fc.constantFrom('a', 'b', '*', '/', '%', 'é'),
  minLength: 1,
  maxLength: 3,
});
const anyAddress = fc.record({ subscription: anyName, resourceGroup: anyName, zone: anyName, name: anyName });
const anyScope = fc
  .array(fc.record({ name: anyName, isPrefix: fc.boolean() }), { maxLength: 4 })
  .map((parts) =>
    parseScope(
      [
        ...parts.map(({ name, isPrefix }, index) => {
          const keyword = ['subscriptions', 'resourceGroups', 'zones', 'telemetryStations'][index];
          return `${keyword}/${encodeURIComponent(name).replaceAll('*', '%2A')}${isPrefix ? '*' : ''}`;
        }),
        ...(parts.length < 4 ? ['**'] : []),
      ].join('/'),
    ),
  );
