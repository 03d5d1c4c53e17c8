import type { ResourceRecord, ResourceType, StationAddress } from '@roster/contract';
import { type Store, type StoredToken, type StoredView, sharedOwner, tokenOwner } from '@roster/engine';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { longOnly, scale, shortOnly } from '../../../../testing/scale.ts';
import { createPostgresStore } from '../postgres/create-postgres-store.ts';
import { FaultProxy } from '../postgres/testing/fault-proxy.ts';
import { useServer } from '../postgres/testing/use-server.ts';
import { createSqliteStore } from '../sqlite/main/create-sqlite-store.ts';
import { temporaryDirectory } from '../sqlite/testing/temporary-directory.ts';
import { aToken, aView } from '../testing/station-data.ts';
import { type CopyOptions, type CopyResult, copyInventory } from './copy-inventory.ts';
import { inventorySize } from './inventory-size.ts';

const fixture = useServer();

type Kind = 'sqlite' | 'postgres';

/** Opens the same data each time. */
interface Data {
  open(options?: { readOnly?: boolean }): Promise<Store>;
}

async function newData(kind: Kind): Promise<Data> {
  if (kind === 'sqlite') {
    const directory = temporaryDirectory();
    return { open: (options) => createSqliteStore({ directory, ...options }) };
  }
  const url = await fixture.server.createDatabase();
  return { open: (options) => createPostgresStore({ url, connections: 4, ...options }) };
}

async function open(data: Data): Promise<Store> {
  const store = await data.open();
  onTestFinished(() => store.close());
  return store;
}

const address = (name: string): StationAddress => ({
  subscription: 'acme',
  resourceGroup: 'gpu',
  zone: 'z1',
  name,
});

async function put(store: Store, to: StationAddress, records: readonly ResourceRecord[]): Promise<void> {
  await store.createStation(to);
  const batch = await store.openBatch(to);
  for (let start = 0; start < records.length; start += 1_000) {
    const part = records.slice(start, start + 1_000);
    await batch.add(part.map((record, index) => ({ line: start + index + 1, record })));
  }
  await batch.commit();
}

function records(count: number, given: Partial<ResourceRecord> = {}): ResourceRecord[] {
  return Array.from({ length: count }, (_, index) => ({
    resourceId: `r-${index}`,
    name: `n-${index}`,
    typeKey: 'resource_type.compute.vm',
    ...given,
  }));
}

const types: ResourceType[] = [
  {
    key: 'resource_type.compute.vm',
    labels: { en: 'Virtual machine', zh: '虚拟机', ar: 'جهاز' },
    product: 'product.vm',
    alertable: false,
  },
  { key: 'resource_type.unused', labels: {}, product: '', alertable: true },
];

const hostile: ResourceRecord[] = [
  {
    resourceId: "'; DROP TABLE resources; --",
    name: '机器-🦄-\\N-\\.',
    displayName: 'tab\\t "quoted", newline\\n and NULL',
    typeKey: 'resource_type.compute.vm',
    product: 'p%_*',
    alertable: true,
    state: 'ALERTSTATE_FIRING',
    sku: '\u{10ffff}',
    gpuModel: 'ﬁ é é',
    alertRulesCount: 9_007_199_254_740_991,
    createTime: '1999-12-31T23:59:59.123456789Z',
  },
  {
    resourceId: 'x'.repeat(512),
    name: 'y'.repeat(1024),
    displayName: '',
    typeKey: 'resource_type.seen.only.here',
    createTime: '2026-02-28T00:00:00.1Z',
  },
];

const tokens: StoredToken[] = [
  {
    ...aToken('tok_b'),
    name: 'ci 机器',
    role: 'admin',
    scopes: ['**', 'subscriptions/a%2F*/**'],
    lastUsedAtMs: 5,
  },
  { ...aToken('tok_a'), createdAtMs: 2, expiresAtMs: 9_999_999_999_999 },
];

const views: StoredView[] = [
  aView(sharedOwner, 'firing 🦄'),
  { ...aView('oidc:1', 'everywhere'), station: undefined, query: 'text=%E6%9C%BA' },
  aView(tokenOwner('tok_a'), 'of a token'),
];

const sampledMs = Date.UTC(2026, 0, 15, 12);

async function fill(store: Store): Promise<void> {
  await store.putTypes(types);
  await put(store, address('hostile 机器/🦄'), hostile);
  await put(store, address('large'), records(4_500));
  await put(store, address('changed'), records(10));
  await put(store, address('changed'), records(5, { sku: 'again' }));
  await store.removeResource(address('changed'), 'r-9');
  await store.createStation(address('empty'));
  await store.trends.sample(sampledMs, 0);
  await store.trends.sample(sampledMs + 5 * 3_600_000, 0);
  for (const token of tokens) await store.tokens.add(token);
  for (const view of views) await store.views.put(view);
}

async function contentsOf(store: Store): Promise<unknown> {
  const { stations } = await store.stations({ offset: 0, limit: 1_000 });
  const contents = [];
  for (const { address: at, counts } of stations) {
    const resources = new Map();
    for await (const part of (await store.feed(at)).chunks)
      for (const resource of part.put) resources.set(resource.resourceId, resource);
    const sorted = [...resources.keys()].sort().map((id) => resources.get(id));
    const trends = await store.trends.read(at, 0, Number.MAX_SAFE_INTEGER);
    contents.push({ at, counts, resources: sorted, trends });
  }
  const { types: all } = await store.catalog();
  return {
    contents,
    types: [...all].sort(),
    tokens: await store.tokens.list(),
    views: await store.views.list(),
  };
}

function copy(from: Store, to: Store, options: Partial<CopyOptions> = {}): Promise<CopyResult> {
  return copyInventory({ from, to, existing: 'keep', withTokens: true, ...options });
}

const across: [Kind, Kind][] = [
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
];
const within: [Kind, Kind][] = [
  ['sqlite', 'sqlite'],
  ['postgres', 'postgres'],
];

describe.each(scale(across, within))('from %s to %s', (fromKind, toKind) => {
  it('brings everything over as it is, and leaves the source as it was', async () => {
    const data = await newData(fromKind);
    const filled = await data.open();
    await fill(filled);
    const before = await contentsOf(filled);
    const heads = (await filled.stations({ offset: 0, limit: 10 })).stations.map(({ head }) => head);
    await filled.close();
    const from = await data.open({ readOnly: true });
    onTestFinished(() => from.close());
    const to = await open(await newData(toKind));
    let copied = 0;
    let verified = 0;
    const result = await copy(from, to, {
      onCopied: (count) => {
        copied += count;
      },
      onVerified: (count) => {
        verified += count;
      },
    });
    expect(result).toEqual({ stations: 4, resources: 4_511, types: 3, tokens: 2, views: 3, differences: [] });
    expect([copied, verified]).toEqual([4_511, 4_511]);
    expect(await contentsOf(to)).toEqual(before);
    expect(await contentsOf(from)).toEqual(before);
    const unchanged = await from.stations({ offset: 0, limit: 10 });
    expect(unchanged.stations.map(({ head }) => head)).toEqual(heads);
    expect(await inventorySize(to)).toEqual({ stations: 4, resources: 4_511, types: 3, tokens: 2, views: 3 });
  });
});

shortOnly(it)('begins new histories, of which the revisions of the old ones are no part', async () => {
  const from = await open(await newData('sqlite'));
  const to = await open(await newData('postgres'));
  await fill(from);
  await copy(from, to);
  const old = (await from.head(address('changed')))!;
  const head = (await to.head(address('changed')))!;
  expect(head.epoch).not.toBe(old.epoch);
  expect(head.number).toBe(1);
  await expect(to.feed(address('changed'), old)).rejects.toMatchObject({ code: 'revision_expired' });
  await expect(to.history(address('changed'), { since: old, limit: 1 })).rejects.toMatchObject({
    code: 'revision_expired',
  });
});

longOnly(it)('changes nothing when it is repeated', async () => {
  const from = await open(await newData('sqlite'));
  const to = await open(await newData('postgres'));
  await fill(from);
  await copy(from, to);
  const heads = async () => (await to.stations({ offset: 0, limit: 10 })).stations.map(({ head }) => head);
  const before = await heads();
  for (const existing of ['keep', 'replace'] as const) {
    expect(await copy(from, to, { existing })).toEqual({
      stations: 0,
      resources: 0,
      types: 0,
      tokens: 0,
      views: 0,
      differences: [],
    });
    expect(await heads()).toEqual(before);
  }
});

shortOnly(it)(
  'keeps what the target has and tells where it differs, or makes it what the source has',
  async () => {
    const from = await open(await newData('sqlite'));
    const to = await open(await newData('postgres'));
    await fill(from);
    await to.putTypes([{ ...types[0]!, labels: { en: 'Something else' } }]);
    await put(to, address('large'), records(2, { sku: 'of the target' }));
    await put(to, address('only here'), records(1));
    await to.tokens.add({ ...tokens[0]!, name: 'another one' });
    await to.tokens.add(aToken('tok_own'));
    await to.views.put({ ...views[0]!, query: 'state=pending' });
    await to.views.put(aView(sharedOwner, 'only here'));
    const kept = await copy(from, to);
    expect(kept).toMatchObject({ stations: 3, tokens: 1, views: 2 });
    expect(kept.differences).toEqual([
      { kind: 'type', name: 'resource_type.compute.vm', reason: 'different' },
      { kind: 'token', name: 'tok_b', reason: 'different' },
      { kind: 'view', name: 'shared/firing 🦄', reason: 'different' },
      { kind: 'station', name: expect.stringContaining('telemetryStations/large'), reason: 'different' },
    ]);
    expect((await to.station(address('large')))?.counts.resources).toBe(2);
    const replaced = await copy(from, to, { existing: 'replace' });
    expect(replaced).toMatchObject({ stations: 1, resources: 4_500, types: 1, tokens: 0, views: 1 });
    expect(replaced.differences).toEqual([{ kind: 'token', name: 'tok_b', reason: 'different' }]);
    expect((await to.station(address('only here')))?.counts.resources).toBe(1);
    expect((await to.tokens.list()).map(({ id }) => id)).toContain('tok_own');
    expect((await to.views.list([sharedOwner])).map(({ name }) => name)).toEqual(['firing 🦄', 'only here']);
  },
);

longOnly(it)('leaves tokens and their views out where that is asked for', async () => {
  const from = await open(await newData('sqlite'));
  const to = await open(await newData('postgres'));
  await fill(from);
  expect(await copy(from, to, { withTokens: false })).toMatchObject({ tokens: 0, views: 2, differences: [] });
  expect(await to.tokens.list()).toEqual([]);
  expect(await to.views.list()).toEqual([views[1], views[0]]);
});

longOnly(it)(
  'goes on where a lost connection has broken it off, and shows no half of a station',
  async () => {
    const from = await open(await newData('sqlite'));
    await fill(from);
    await put(from, address('z'), records(9_000));
    await using proxy = await FaultProxy.start(fixture.server.port);
    const url = proxy.url(await fixture.server.createDatabase());
    const to = await open({ open: () => createPostgresStore({ url, connections: 4 }) });
    let copied = 0;
    const broken = copy(from, to, {
      onCopied(count) {
        copied += count;
        if (copied > 6_000 && copied - count <= 6_000) proxy.cut();
      },
    });
    await expect(broken).rejects.toMatchObject({ code: 'store_unavailable' });
    const { stations } = await to.stations({ offset: 0, limit: 10 });
    const sizes = Object.fromEntries(stations.map(({ address: at, counts }) => [at.name, counts.resources]));
    expect(sizes).toEqual({ 'hostile 机器/🦄': 2, large: 4_500, changed: 9, empty: 0, z: 0 });
    const { differences, ...written } = await copy(from, to);
    expect(differences).toEqual([]);
    expect(written).toEqual({ stations: 1, resources: 9_000, types: 0, tokens: 2, views: 3 });
  },
);

longOnly(it)('copies any resources, there and back again', async () => {
  const text = fc.string({
    unit: fc.constantFrom(...'aä机🦄\\"\'%,\n\t'.replace(/[\n\t]/g, '')),
    maxLength: 6,
  });
  const anyRecords = fc.uniqueArray(
    fc.record({
      id: text.filter((id) => id !== ''),
      displayName: text,
      sku: text,
      product: text,
      alertable: fc.boolean(),
      alertRulesCount: fc.nat(),
    }),
    { selector: ({ id }) => id, maxLength: 30 },
  );
  const first = await open(await newData('sqlite'));
  const second = await open(await newData('postgres'));
  const third = await open(await newData('sqlite'));
  let round = 0;
  await fc.assert(
    fc.asyncProperty(anyRecords, async (given) => {
      const all = given.map(({ id, ...fields }) => ({
        resourceId: id,
        name: id,
        typeKey: 'resource_type.t',
        ...fields,
      }));
      await put(first, address(`s-${round++}`), all);
      expect((await copy(first, second)).differences).toEqual([]);
      expect((await copy(second, third)).differences).toEqual([]);
    }),
    { numRuns: 8 },
  );
  expect(await contentsOf(third)).toEqual(await contentsOf(first));
});
