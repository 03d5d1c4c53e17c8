import type { StationAddress } from '@roster/contract';
import type { Store } from '@roster/engine';
import { beforeEach, expect, it } from 'vitest';
import { longOnly, shortOnly } from '../../../../testing/scale.ts';
import { useServer } from '../postgres/testing/use-server.ts';
import { aBatch, aToken, aView, station } from '../testing/station-data.ts';
import { copyInventory } from './copy-inventory.ts';
import { type Difference, type ExpectedStation, findDifferences } from './find-differences.ts';
import { StationContents } from './station-contents.ts';

const fixture = useServer();
const [a, b] = [station, { ...station, name: 'b' }];
const aType = { key: 'resource_type.x', labels: { en: 'X' }, product: '', alertable: true };

let from: Store;
let to: Store;
let toUrl: string;
let expected: ExpectedStation[];

beforeEach(async () => {
  from = await fixture.open({ connections: 4 });
  toUrl = await fixture.server.createDatabase();
  to = await fixture.open({ url: toUrl, connections: 4 });
  await from.putTypes([aType]);
  await from.tokens.add(aToken('t'));
  for (const name of ['v', 'w']) await from.views.put(aView('shared', name));
  for (const address of [a, b]) await put(address, 3);
  await copyInventory({ from, to, existing: 'keep', withTokens: true });
  expected = [await read(a), await read(b)];
});

async function put(address: StationAddress, count: number): Promise<void> {
  await from.createStation(address);
  const batch = await from.openBatch(address);
  await batch.add(aBatch(count));
  await batch.commit();
}

async function read(address: StationAddress): Promise<ExpectedStation> {
  const { head, chunks } = await from.feed(address);
  const contents = new StationContents();
  for await (const { put } of chunks) for (const resource of put) contents.add(resource);
  return { address, head, contents };
}

async function differences(): Promise<[Difference['kind'], string, Difference['reason']][]> {
  const found = await findDifferences({ from, to, withTokens: true }, expected);
  return found.map(({ kind, name, reason }) => [kind, name.split('/').at(-1)!, reason]);
}

shortOnly(it)('finds none between an inventory and its copy, whenever a token was last used', async () => {
  await to.tokens.recordUses(new Map([['t', 1]]));
  expect(await differences()).toEqual([]);
});

longOnly(it)(
  'finds stations of the source that were written, created or deleted since they were read',
  async () => {
    await put(a, 4);
    await from.deleteStation(b);
    await put({ ...station, name: 'c' }, 1);
    expect(await differences()).toEqual([
      ['station', 'c', 'changed'],
      ['station', station.name, 'changed'],
      ['station', 'b', 'changed'],
    ]);
  },
);

shortOnly(
  it.each([
    ['a field', "UPDATE resources SET sku = 'x' WHERE resource_id = 'vm-1' AND station_id = 1"],
    ['the product', "UPDATE resources SET product = 'x' WHERE resource_id = 'vm-1' AND station_id = 1"],
    [
      'the time of creation',
      "UPDATE resources SET create_time = '2000-01-01T00:00:00.0Z' WHERE resource_id = 'vm-1' AND station_id = 1",
    ],
    ['a resource', "DELETE FROM resources WHERE resource_id = 'vm-1' AND station_id = 1"],
    ['the counts', "UPDATE stations SET counts = jsonb_set(counts, '{uncovered}', '1') WHERE id = 1"],
    [
      'a state in the counts',
      `UPDATE stations SET counts = jsonb_set(counts, '{byState}', '{"ALERTSTATE_FIRING":3}') WHERE id = 1`,
    ],
  ]),
)('finds a station of the target, the first one, with another value for %s', async (_, sql) => {
  await fixture.server.query(sql, toUrl);
  expect(await differences()).toEqual([['station', 'b', 'different']]);
});

shortOnly(it)('finds stations, types, tokens and views that the target lacks or has otherwise', async () => {
  await to.deleteStation(b);
  await to.putTypes([{ ...aType, labels: { en: 'Y' } }]);
  await to.tokens.remove('t');
  await to.views.remove('shared', 'v');
  await to.views.put({ ...aView('shared', 'w'), changedBy: 'else' });
  expect(await differences()).toEqual([
    ['type', 'resource_type.x', 'different'],
    ['token', 't', 'different'],
    ['view', 'v', 'different'],
    ['view', 'w', 'different'],
    ['station', 'b', 'different'],
  ]);
});
