import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type RosterClient } from './client.ts';
import {
  isInvalidRecords,
  isNotFound,
  isPagingRequired,
  isRemovalRefused,
  isRevisionExpired,
  isRevisionMismatch,
  isTypeMismatch,
} from './guards.ts';
import type { WriteInput } from './manage/write-body.ts';
import type { WriteOptions } from './manage/write-request.ts';
import type { ResourceRecord } from './roster-wire.ts';
import type { StationClient } from './station-client.ts';
import { type RunningRoster, startRoster } from './testing/start-roster.ts';

let roster: RunningRoster;
let client: RosterClient;
let stations = 0;

beforeAll(async () => {
  roster = await startRoster({ ROSTER_MAX_UNPAGED: '1000' });
  client = createClient({ baseUrl: roster.url });
});

afterAll(() => roster.stop());

const vm = 'resource_type.compute.vm';
const record = (id: string, given: object = {}): ResourceRecord => ({
  resource_type: vm,
  resource_id: id,
  name: `name-${id}`,
  ...given,
});
const records = (count: number) =>
  Array.from({ length: count }, (_, at) => record(`r${String(at).padStart(4, '0')}`));

async function newStation(...content: ResourceRecord[]): Promise<StationClient> {
  const station = client.station({
    subscription: 'test & co',
    resourceGroup: 'ü/ö',
    zone: 'zone 1',
    name: `s${++stations}`,
  });
  await station.manage.create();
  if (content.length > 0) await station.manage.write(content);
  return station;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the list of a real server', () => {
  it('is the same as a whole, in pages, as a count and through the iterator', async () => {
    const station = await newStation(...records(250));
    const whole = await station.list();
    expect(whole).toMatchObject({ page: null, language: 'en' });
    expect(whole.resources).toHaveLength(250);
    expect(await collect(station.listAll({}, { pageSize: 100 }))).toEqual(whole.resources);
    expect(await station.list({ offset: 240, size: 20 })).toMatchObject({
      resources: whole.resources.slice(240),
      page: { offset: 240, size: 20, total: 250 },
      revision: whole.revision,
      etag: whole.etag,
    });
    expect(await station.count()).toBe(250);
  });

  it.each(['comma', 'repeat'] as const)(
    'takes every filter, with the delimiter %s',
    async (listDelimiter) => {
      const node = 'resource_type.compute.gpu_node';
      const { path } = await newStation(
        record('a', { display_name: 'GPU + 1', product: 'product.gpu' }),
        record('b', { display_name: 'GPU + 2', resource_type: node, alertable: false }),
        record('c', { display_name: 'other' }),
      );
      const station = createClient({ baseUrl: roster.url, listDelimiter }).station(path);
      const ids = async (query: object) =>
        (await station.list(query)).resources.map((each) => each.resource_id);
      expect(await ids({ resourceIds: ['a', 'c'] })).toEqual(['a', 'c']);
      expect(await ids({ resourceTypes: [vm, node], displayNamePrefix: 'GPU + ' })).toEqual(['a', 'b']);
      expect(await ids({ resourceType: node })).toEqual(['b']);
      expect(await ids({ product: 'product.gpu' })).toEqual(['a']);
      expect(await ids({ enabledAlert: true })).toEqual(['a', 'c']);
      expect(await ids({ enabledAlert: false })).toEqual(['a', 'b', 'c']);
    },
  );

  it('is one snapshot, even during writes', async () => {
    const station = await newStation(...records(300));
    const listing = station.listAll({}, { pageSize: 50 });
    const ids: string[] = [];
    for await (const { resource_id } of listing) {
      ids.push(resource_id);
      if (ids.length % 50 === 1) {
        await station.manage.write([record(`a-new-${ids.length}`, { display_name: '0' })]);
        await station.manage.remove(`r02${String(ids.length % 90).padStart(2, '0')}`);
      }
    }
    expect(ids).toEqual(records(300).map(({ resource_id }) => resource_id));
    expect(listing.notices).toEqual([]);
    expect(listing.revision).toMatch(/\.1$/);
  });

  it('says what may have been meant', async () => {
    const station = await newStation(...records(1));
    const filters = { resourceTypes: [`${record('x').resource_type}s`] };
    const { hint } = await station.list({ ...filters, size: 1 });
    expect(hint).toMatch(/^nothing in the station has the resource_type .*; did you mean/);
    const listing = station.listAll(filters);
    for await (const _ of listing) expect.unreachable();
    expect(listing.notices).toEqual([{ kind: 'hint', message: hint }]);
  });

  it('reports an expired snapshot', async () => {
    const station = await newStation(...records(10));
    const error = await failureOf(station.list({ size: 1 }, { revision: 'gone.1' }));
    expect(isRevisionExpired(error)).toBe(true);
  });

  it('must be paged when it is long', async () => {
    const station = await newStation(...records(1001));
    const error = await failureOf(station.list());
    expect(isPagingRequired(error) && error.extensions.total).toBe(1001);
    expect(await collect(station.listAll())).toHaveLength(1001);
  });

  it('of an unknown station is not found, and names it', async () => {
    const error = await failureOf(client.station('no/such/st%2Fat/ion').list());
    expect(isNotFound(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'station_not_found',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      detail: expect.stringContaining('st%2Fat'),
    });
  });

  it('is asked for only when it changed, with an ETag cache', async () => {
    const { path, manage } = await newStation(...records(3));
    const statuses: number[] = [];
    const cached = createClient({
      baseUrl: roster.url,
      etagCache: true,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        statuses.push(response.status);
        return response;
      },
    }).station(path);
    await cached.list();
    expect((await cached.list()).resources).toHaveLength(3);
    await cached.manage.summary();
    expect(await cached.manage.summary()).toMatchObject({ total: 3 });
    await manage.remove('r0000');
    expect((await cached.list()).resources).toHaveLength(2);
    expect(statuses).toEqual([200, 304, 200, 304, 200]);
  });
});

describe('a station', () => {
  it('is created once, read and deleted', async () => {
    const { manage, path } = client.station('life/of/a/station');
    expect(await manage.create()).toMatchObject({ created: true, station: { station: path } });
    const { created, station } = await manage.create();
    expect(created).toBe(false);
    expect(await manage.get()).toEqual(station);
    const error = await failureOf(manage.delete({ ifRevision: 'other.0' }));
    expect(isRevisionMismatch(error)).toBe(true);
    await manage.delete({ ifRevision: station.revision });
    expect(isNotFound(await failureOf(manage.get()))).toBe(true);
  });

  it('is listed among the others', async () => {
    for (const name of ['m1', 'm2', 'n1']) await client.station(`many/g/z/${name}`).manage.create();
    const {
      stations: page,
      page: { total },
    } = await client.manage.stations({ subscription: 'many', size: 2 });
    expect([page.map((each) => each.telemetry_station_name), total]).toEqual([['m1', 'm2'], 3]);
    const matches = client.manage.allStations({ subscription: 'many', namePrefix: 'm' });
    expect((await collect(matches)).map((each) => each.telemetry_station_name)).toEqual(['m1', 'm2']);
  });
});

describe('writing', () => {
  const ndjson = `${JSON.stringify(record('a'))}\n${JSON.stringify(record('b'))}\n`;
  const bytes = new TextEncoder().encode(ndjson);
  const csv = `resource_type,resource_id,name\r\n${vm},a,name-a\r\n${vm},b,name-b\r\n`;
  const yaml = `- {resource_type: ${vm}, resource_id: a, name: name-a}\n- {resource_type: ${vm}, resource_id: b, name: name-b}\n`;

  it.each<[string, () => WriteInput, WriteOptions & { dryRun?: false }]>([
    ['records', () => [record('a'), record('b')], {}],
    ['text', () => ndjson, {}],
    ['bytes', () => bytes, {}],
    ['JSON', () => JSON.stringify([record('a'), record('b')]), { format: 'json' }],
    ['CSV', () => csv, { format: 'csv' }],
    ['YAML', () => yaml, { format: 'yaml' }],
    ['a web stream', () => new Blob([bytes]).stream(), {}],
    [
      'an iterable of records',
      async function* () {
        yield record('a');
        yield record('b');
      },
      {},
    ],
    [
      'an iterable of parts of bytes',
      async function* () {
        yield bytes.subarray(0, 20);
        yield bytes.subarray(20);
      },
      {},
    ],
    [
      'gzip',
      () => new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip')),
      { contentEncoding: 'gzip' },
    ],
  ])('takes %s', async (_, input, options) => {
    const { manage } = await newStation();
    expect(await manage.write(input(), options)).toMatchObject({ created: 2, removed: 0 });
  });

  it('patches existing resources by their ids', async () => {
    const { manage } = await newStation(record('a', { sku: '1 x' }), record('b'));
    const patches = [{ resource_id: 'a', state: 'ALERTSTATE_FIRING' }];
    expect(await manage.patch(patches, { dryRun: true })).toMatchObject({ dry_run: true, updated: 1 });
    expect(await manage.patch(patches)).toMatchObject({ created: 0, updated: 1 });
    expect(await manage.resource('a')).toMatchObject({ sku: '1 x', state: 'ALERTSTATE_FIRING' });
    await expect(manage.patch([{ resource_id: 'c' }])).rejects.toMatchObject({ code: 'invalid_records' });
    await expect(manage.patch(patches, { mode: 'replace' } as object)).rejects.toThrow(/mode/);
  });

  it('plans first, then does exactly that', async () => {
    const { manage } = await newStation(record('a'), record('b'));
    const next = [record('a', { sku: '2 x' }), record('c')];
    const plan = await manage.write(next, { mode: 'replace', dryRun: true, maxChanges: 2 });
    expect(plan).toMatchObject({
      dry_run: true,
      created: 1,
      updated: 1,
      removed: 1,
      total_changes: 3,
      refusal: null,
    });
    expect(plan.changes).toHaveLength(2);
    const options = { mode: 'replace', ifRevision: plan.revision } as const;
    expect(await manage.write(next, options)).toMatchObject({ created: 1, updated: 1, removed: 1 });
    expect(isRevisionMismatch(await failureOf(manage.write(next, options)))).toBe(true);
  });

  it('reports every error, and which record has it', async () => {
    const { manage } = await newStation();
    const bad = [record('a'), record('b', { state: 'bad' }), record('c', { nmae: 'x' })];
    const error = await failureOf(manage.write(bad));
    expect(isInvalidRecords(error) && error.extensions.faults).toMatchObject([
      { line: 2, field: 'state' },
      { line: 3, field: 'nmae' },
    ]);
  });

  it('removes many resources only when allowed', async () => {
    const { manage } = await newStation(...records(30));
    const error = await failureOf(manage.write([record('a')], { mode: 'replace' }));
    expect(isRemovalRefused(error) && error.extensions).toMatchObject({ removed: 30, resources: 30 });
    const options = { mode: 'replace', allowRemoval: 'all' } as const;
    expect(await manage.write([record('a')], options)).toMatchObject({ removed: 30 });
  });

  it('fails with the error of its source, and writes nothing', async () => {
    const { manage } = await newStation();
    const broken = async function* () {
      yield record('a');
      await sleep(10);
      throw new RangeError('the disk is gone');
    };
    expect(await failureOf(manage.write(broken()))).toEqual(new RangeError('the disk is gone'));
    expect((await manage.get()).resources.total).toBe(0);
  });

  it.each([
    [7, {}, 'records must be text, bytes, a list of records or a stream, got 7'],
    [[7], {}, 'a record must be an object, got 7'],
    [[record('a')], { format: 'csv' }, 'records are sent as ndjson; pass text or a stream for csv'],
    ['', { format: 'xml' }, 'format must be one of ndjson, json, csv, yaml, got "xml"'],
    ['', { dryrun: true }, '"dryrun" is not a member of the options of write'],
    ['', { allowRemoval: 'some' }, 'allowRemoval must be a whole number'],
  ])('refuses %j with %j', async (input, options, reason) => {
    const { manage } = client.station('a/b/c/d');
    await expect(manage.write(input as never, options as never)).rejects.toThrow(reason);
  });
});

describe('resources', () => {
  it('are read with every stored field, and removed', async () => {
    const { manage } = await newStation(record('a/ü', { product: 'product.p' }));
    expect(await manage.resource('a/ü')).toMatchObject({ resource_id: 'a/ü', product: 'product.p' });
    expect(await manage.remove('a/ü')).toMatchObject({ removed: 1 });
    expect(isNotFound(await failureOf(manage.resource('a/ü')))).toBe(true);
  });

  it('are summarised', async () => {
    const { manage } = await newStation(record('a', { alert_rules_count: 2 }), record('b'));
    expect(await manage.summary({ resourceType: vm })).toMatchObject({
      total: 2,
      alertable: 2,
      covered: 1,
      uncovered: 1,
      states: { ALERTSTATE_INACTIVE: 2 },
      types: [{ key: vm, total: 2 }],
    });
  });

  it('are exported as records, text and bytes, and written back without a change', async () => {
    const { manage } = await newStation(...records(1200));
    const exported = await manage.export();
    expect(exported).toMatchObject({ revision: (await manage.get()).revision, language: 'en' });
    const out = await collect(exported.records());
    expect(out).toHaveLength(1200);
    expect(await manage.write(out)).toMatchObject({ unchanged: 1200 });
    const csv = (await manage.export({}, { format: 'csv' })).bytes();
    expect(await manage.write(csv, { format: 'csv' })).toMatchObject({ unchanged: 1200 });
    const text = await collect((await manage.export({ resourceIds: ['r0001'] }, { format: 'json' })).text());
    expect(JSON.parse(text.join(''))).toMatchObject([{ resource_id: 'r0001', alertable: true }]);
    const json = await manage.export({}, { format: 'json' });
    await expect(json.records().next()).rejects.toThrow('records() needs the format ndjson, not json');
  });

  it('can be left in the middle of an export', async () => {
    const { manage } = await newStation(...records(1000));
    const found = [];
    for await (const each of (await manage.export()).records()) {
      found.push(each);
      if (found.length === 3) break;
    }
    expect(found).toHaveLength(3);
  });
});

describe('the history of a station', () => {
  it('comes in pages or as a whole, and resumes where it ended', async () => {
    const { manage } = await newStation();
    const { revision } = await manage.get();
    await manage.write(records(7));
    await manage.write([record('r0000', { sku: '1 x' })]);
    const page = await manage.changes({ since: revision, size: 3 });
    expect(page).toMatchObject({ has_more: true, changes: [{ change: 'created' }, {}, {}] });
    const history = manage.history({ since: revision, size: 3 });
    const changes = await collect(history);
    expect(changes.map(({ change }) => change)).toEqual([...Array(7).fill('created'), 'updated']);
    await manage.remove('r0003');
    const rest = await collect(manage.history({ since: history.position }));
    expect(rest).toMatchObject([{ change: 'removed', resource_id: 'r0003' }]);
    expect(await collect(manage.history({ resourceId: 'r0000' }))).toHaveLength(2);
    expect(isRevisionExpired(await failureOf(manage.changes({ since: 'gone.1' })))).toBe(true);
  });
});

describe('resource types', () => {
  it('are put, read in a language, listed and deleted', async () => {
    const key = 'resource_type.test.rack';
    const labels = { en: 'Rack', zh: '机架' };
    expect(await client.manage.putType(key, { labels, product: 'product.r' })).toMatchObject({
      created: true,
      type: { key, label: 'Rack', labels, product: 'product.r', alertable: true },
    });
    expect(await client.manage.putType(key, { labels })).toMatchObject({ created: false });
    expect(isTypeMismatch(await failureOf(client.manage.putType(key, {}, { ifVersion: null })))).toBe(true);
    const { version } = await client.manage.type(key);
    const { type } = await client.manage.putType(key, { labels, alertable: false }, { ifVersion: version });
    expect(isTypeMismatch(await failureOf(client.manage.deleteType(key, { ifVersion: version })))).toBe(true);
    expect(isTypeMismatch(await failureOf(client.manage.putType(key, {}, { ifVersion: version })))).toBe(
      true,
    );
    await client.manage.putType(key, { labels }, { ifVersion: type.version });
    expect(await client.manage.type(key, { acceptLanguage: 'zh' })).toMatchObject({ label: '机架' });
    expect((await client.manage.types()).map((type) => type.key)).toContain(key);
    await client.manage.deleteType(key);
    expect(isNotFound(await failureOf(client.manage.type(key)))).toBe(true);
  });
});
