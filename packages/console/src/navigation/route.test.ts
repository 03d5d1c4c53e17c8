import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesHref } from './changes-search.ts';
import { importHref, parseRoute, resourceHref, stationHref } from './route.ts';

const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.isWellFormed());
const station = fc.record({ subscription: name, resourceGroup: name, zone: name, name });

describe('a route', () => {
  it('of any station is found again in its path', () => {
    fc.assert(
      fc.property(station, name, (given, resourceId) => {
        expect(parseRoute(stationHref(given))).toEqual({ page: 'station', station: given });
        expect(parseRoute(importHref(given))).toEqual({ page: 'import', station: given });
        expect(parseRoute(changesHref(given, {}).split('?')[0]!)).toEqual({
          page: 'changes',
          station: given,
        });
        const resource = { page: 'resource', station: given, resourceId };
        expect(parseRoute(resourceHref(given, resourceId))).toEqual(resource);
      }),
    );
  });

  it('is a page of its own for each fixed path', () => {
    expect(parseRoute('/')).toEqual({ page: 'now' });
    expect(parseRoute('/stations')).toEqual({ page: 'stations' });
    expect(parseRoute('/resources')).toEqual({ page: 'resources' });
    expect(parseRoute('/types')).toEqual({ page: 'types' });
    expect(parseRoute('/sources')).toEqual({ page: 'sources' });
    expect(parseRoute('/tokens')).toEqual({ page: 'tokens' });
    expect(parseRoute('/about')).toEqual({ page: 'about' });
    expect(parseRoute('/import')).toEqual({ page: 'import', station: undefined });
  });

  it.each([
    '/nope',
    '/types/x',
    '/stations/a/b/c',
    '/stations/a/b/c/d/e',
    '/stations/a//c/d',
    '/stations/a/b/c/%E0',
    '/stations/a/b/c/d/resources',
    '/stations/a/b/c/d/resources/%E0',
    '/stations/a/b/c/d/others/x',
  ])('is missing for %s', (path) => {
    expect(parseRoute(path)).toEqual({ page: 'missing' });
  });
});
