import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StagedRecord, Store } from '@roster/engine';
import { expect, it } from 'vitest';
import { aBatch, put, station } from '../../testing/station-data.ts';
import { useServer } from '../testing/use-server.ts';

/** Without autovacuum there are no statistics, as in the first minute after an import. */
const fixture = useServer({
  settings: {
    autovacuum: 'off',
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
    logging_collector: 'on',
    log_destination: 'jsonlog',
    log_rotation_size: '0',
  },
});

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

interface Explained {
  readonly 'Query Text': string;
  readonly Plan: PlanNode;
}

let linesRead = 0;
let marks = 0;

function logged(): string[] {
  const directory = join(fixture.server.directory, 'log');
  const logs = readdirSync(directory).filter((name) => name.endsWith('.json'));
  return logs.flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'));
}

/** What has been executed since it was last called. Another process writes the log, perhaps late, but in order. */
async function executed(): Promise<{ rows: number; text: string }[]> {
  const mark = `the log up to mark ${++marks}`;
  await fixture.server.query(`SELECT '${mark}'`);
  await expect
    .poll(() =>
      logged()
        .slice(0, -1)
        .some((line) => line.includes(mark)),
    )
    .toBe(true);
  const lines = logged();
  const fresh = lines.slice(linesRead, -1);
  linesRead += fresh.length;
  return fresh.flatMap((line) => {
    const { message = '' } = JSON.parse(line) as { message?: string };
    const json = /^duration: .* plan:\n(\{[\s\S]*\})$/.exec(message)?.[1];
    if (json === undefined) return [];
    const { Plan, 'Query Text': text } = JSON.parse(json) as Explained;
    return text.includes(mark) ? [] : [{ rows: rowsRead(Plan), text }];
  });
}

function rowsRead(node: PlanNode): number {
  const perLoop =
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  const own = perLoop * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), own);
}

const size = 3_000;
/** For each row that an operation concerns. */
const mostPerRow = 25;

/** That the work reads a few rows for each of the rows that it concerns. */
async function expectFew<T>(rows: number, work: () => Promise<T>): Promise<T> {
  await executed();
  const result = await work();
  const statements = (await executed()).filter(({ text }) => !text.includes('ANALYZE'));
  expect(statements.length).toBeGreaterThan(0);
  for (const { rows: read, text } of statements) expect(read, text).toBeLessThan(mostPerRow * (rows + 10));
  return result;
}

function withSku(records: readonly StagedRecord[], sku: string): StagedRecord[] {
  return records.map((staged) => ({ ...staged, record: { ...staged.record, sku } }));
}

async function filledStore(): Promise<Store> {
  const store = await fixture.open();
  await store.createStation(station);
  await put(store, aBatch(size));
  return store;
}

/** A store whose statistics are older than its station, and know only of another one. */
async function storeAnalyzedBefore(): Promise<Store> {
  const url = await fixture.server.createDatabase();
  const store = await fixture.open({ url });
  const other = { ...station, name: 'other' };
  await store.createStation(other);
  for (const sku of ['a', 'b']) await put(store, withSku(aBatch(size), sku), other);
  await fixture.server.query('ANALYZE', url);
  await store.createStation(station);
  await put(store, aBatch(size));
  return store;
}

it('reads few rows of a station that the statistics do not know', async () => {
  const store = await storeAnalyzedBefore();
  const since = (await store.head(station))!;
  for (const sku of ['a', 'b']) await expectFew(size, () => put(store, withSku(aBatch(size), sku)));
  const batch = await store.openBatch(station, { mode: 'replace' });
  await batch.add(withSku(aBatch(size * 0.6), 'c'));
  expect((await expectFew(size, () => batch.plan(size))).changes).toHaveLength(size);
  expect((await expectFew(size, () => batch.commit())).removed).toBe(size * 0.4);
  await expectFew(size / 10, () => put(store, withSku(aBatch(size / 10), 'd')));
  await expectFew(size, () => store.history(station, { since, limit: size }));
  await expectFew(1, () => store.history(station, { resourceId: 'vm-1', limit: 10 }));
  const fed = await expectFew(4 * size, async () => {
    let count = 0;
    for await (const chunk of (await store.feed(station, since)).chunks) {
      count += chunk.put.length + chunk.removed.length;
    }
    return count;
  });
  expect(fed).toBe(size);
});

it.each([
  ['all', size],
  ['a tenth', size / 10],
  ['one', 1],
])('reads few rows to change %s', async (_, count) => {
  const store = await filledStore();
  for (const sku of ['a', 'b', 'c']) {
    const { updated } = await expectFew(count, () => put(store, withSku(aBatch(count), sku)));
    expect(updated).toBe(count);
  }
});

it.each(['merge', 'patch', 'replace'] as const)('reads few rows to plan and commit a %s', async (mode) => {
  const store = await filledStore();
  const batch = await store.openBatch(station, { mode });
  const records = withSku(aBatch(size * 0.6), 'x');
  for (let from = 0; from < records.length; from += 600) await batch.add(records.slice(from, from + 600));
  expect((await expectFew(size, () => batch.plan(100))).updated).toBe(records.length);
  const { updated, removed } = await expectFew(size, () => batch.commit());
  expect({ updated, removed }).toEqual({
    updated: records.length,
    removed: mode === 'replace' ? size * 0.4 : 0,
  });
});

it.each([
  ['no', filledStore],
  ['older', storeAnalyzedBefore],
])('reads few rows to find conflicts with %s statistics', async (_, open) => {
  const store = await open();
  const renamed = aBatch(size).map(({ line, record }) => ({
    line,
    record: { ...record, resourceId: `new-${line}` },
  }));
  const refused = expectFew(size, () => put(store, renamed).catch((error: unknown) => error));
  expect(await refused).toMatchObject({ code: 'invalid_records' });
});

it('reads few rows to tell of a few changes', async () => {
  const store = await filledStore();
  const since = (await store.head(station))!;
  await put(store, withSku(aBatch(3), 'x'));
  await store.removeResource(station, 'vm-7');
  const { changes } = await expectFew(4, () => store.history(station, { since, limit: 10 }));
  expect(changes).toHaveLength(4);
  const fed = await expectFew(4, async () => {
    let count = 0;
    for await (const chunk of (await store.feed(station, since)).chunks) count += chunk.put.length;
    return count;
  });
  expect(fed).toBe(3);
  await expectFew(1, () => store.resource(station, 'vm-1'));
  await expectFew(1, () => store.removeResource(station, 'vm-8'));
});

it.each([
  ['no', filledStore],
  ['older', storeAnalyzedBefore],
])('reads few rows to forget a history of many revisions with %s statistics', async (_, open) => {
  const store = await open();
  for (let turn = 0; turn < 60; turn++) await put(store, withSku(aBatch(1), `${turn}`));
  await expectFew(size, () => store.compactHistory(0));
});
