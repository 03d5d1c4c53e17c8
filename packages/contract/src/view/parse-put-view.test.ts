import { describe, expect, it } from 'vitest';
import { limits } from '../limits.ts';
import { parsePutView } from './parse-put-view.ts';

const station = 'subscriptions/s/resourceGroups/g/zones/z%2F1/telemetryStations/n';
const address = { subscription: 's', resourceGroup: 'g', zone: 'z/1', name: 'n' };

describe('the body of a view', () => {
  it.each<[unknown, unknown]>([
    [
      { station, query: 'state=firing' },
      { station: address, query: 'state=firing' },
    ],
    [
      { station: `/${station}`, query: '' },
      { station: address, query: '' },
    ],
    [
      { station: null, query: '' },
      { station: undefined, query: '' },
    ],
    [
      { station: null, query: 'zone=z&state=firing' },
      { station: undefined, query: 'zone=z&state=firing' },
    ],
    [
      {
        name: 'v',
        shared: true,
        path: 'x',
        version: 'y',
        changed_at: 'z',
        changed_by: 'w',
        station: null,
        query: 'sku=a',
      },
      { station: undefined, query: 'sku=a' },
    ],
  ])('%j is read', (body, expected) => {
    expect(parsePutView('v', body)).toEqual(expected);
  });

  it.each<[unknown, string]>([
    [undefined, 'must be a JSON object'],
    [[], 'must be a JSON object'],
    ['state=firing', 'must be a JSON object'],
    [{}, 'station is required: the path of a station, or null for all stations'],
    [{ station: null }, 'query must be a string'],
    [{ query: '' }, 'station is required: the path of a station, or null for all stations'],
    [{ station: null, query: 'zone=\ud800' }, 'query must be a string'],
    [{ querry: '' }, 'did you mean "query"?'],
    [{ query: 5 }, 'query must be a string'],
    [{ query: { state: 'firing' } }, 'query must be a string'],
    [{ station: null, query: 'stat=firing' }, 'query: unknown parameter "stat"; did you mean "state"?'],
    [{ station: null, query: 'page.size=5' }, 'query: "page.size" is not part of a view'],
    [{ station: null, query: `text=${'x'.repeat(201)}` }, 'query: text may have at most 200 characters'],
    [
      { station: null, query: `resource_ids=${'x'.repeat(limits.maxViewQueryLength)}` },
      'query may have at most 4000',
    ],
    [{ station: null, query: `product=${'机'.repeat(500)}` }, 'query may have at most 4000'],
    [{ station, query: 'zone=z' }, 'query: unknown parameter "zone"'],
    [{ station: 's/g/z/n' }, 'station must have the form subscriptions/'],
    [{ station: '' }, 'station must have the form'],
    [{ station: 5 }, 'station must have the form'],
    [{ station: `${station}/` }, 'station must have the form'],
    [{ station: station.replace('s/', '\ud800/') }, 'station must have the form'],
    [{ station: station.replace('%2F', '%ff') }, 'station must have the form'],
    [{ station: `${station}${'x'.repeat(10_000)}` }, 'station must have the form'],
    [{ name: 'w' }, 'name must be "v" as in the path'],
    [{ station: 5, query: 5, other: 5 }, '"other" is not a known member; known are'],
  ])('%j is refused', (body, message) => {
    expect(() => parsePutView('v', body)).toThrow(message);
  });

  it('reports every error at once', () => {
    expect(() => parsePutView('v', { station: 5, query: 'x=1' })).toThrow(
      /^station must have .*; query: unknown parameter "x"/,
    );
  });
});

describe('the name of a view', () => {
  it.each(['v', 'Firing now', '着火 🦄', '"; DROP TABLE views; --', '../../etc', 'a/b', 'x'.repeat(200)])(
    'may be %j',
    (name) => {
      expect(parsePutView(name, { station: null, query: '' }).query).toBe('');
    },
  );

  it.each(['', ' a', 'a ', '.', '..', 'a\nb', '\0', '\ud800', 'x'.repeat(201)])('must not be %j', (name) => {
    expect(() => parsePutView(name, {})).toThrow(/^the name of a view must .*, got "/);
  });
});
