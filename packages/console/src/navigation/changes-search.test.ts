import { expect, it } from 'vitest';
import { type ChangesView, changesHref, parseChangesView } from './changes-search.ts';

const station = { subscription: 's', resourceGroup: 'g', zone: 'z', name: 'a/b' };

const parse = (search: string) => parseChangesView(new URLSearchParams(search));

it.each<[Partial<ChangesView>, string]>([
  [{}, 'range=24h'],
  [{ range: 'night', filters: { states: ['firing'] } }, 'state=firing&range=night'],
  [
    { range: { fromMs: 0, toMs: 1000 }, isEverything: true },
    'changed_after=1970-01-01T00%3A00%3A00.000Z&changed_before=1970-01-01T00%3A00%3A01.000Z&state_changes=false',
  ],
])('has all of it in the URL: %o', (view, search) => {
  const href = changesHref(station, view);
  expect(href).toBe(`/stations/s/g/z/a%2Fb/changes?${search}`);
  const whole = { filters: {}, range: '24h', isEverything: false, unreadable: [], ...view };
  expect(parse(search)).toEqual(whole);
});

it('shows state changes of the last day unless told otherwise', () => {
  expect(parse('')).toEqual({ filters: {}, range: '24h', isEverything: false, unreadable: [] });
});

it('names what it cannot read', () => {
  const search = 'stat=firing&station=x&covered=perhaps&range=century&changed_after=yesterday';
  const unreadable = ['stat', 'station', 'covered', 'changed_after', 'range'];
  expect(parse(search)).toMatchObject({ filters: {}, range: '24h', unreadable });
});
