import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scale, shortOnly } from '../../testing/scale.ts';
import { expectProblem, toAnswer } from '../testing/check-answer.ts';
import { shareServer } from '../testing/start-server.ts';
import { listPath, numbered, Station, samplePath } from '../testing/station.ts';
import type { HistoryPage, WriteResult } from '../testing/station-answers.ts';
import { anyRecords } from './testing/record-arbitrary.ts';

const exportFormats = ['ndjson', 'json', 'csv'] as const;
const replaceAll = { query: '?mode=replace&allow_removal=all' };

const other = shareServer({ ROSTER_SAMPLE: 'true' });
const target = shareServer();

const listText = async (query: string) => (await other().fetch(listPath(samplePath, query))).text();

shortOnly(it)('takes in what another server lists, whole or page by page, and lists the same', async () => {
  const server = target();
  const expected = (await new Station(other(), samplePath).list()).resources;
  expect(expected.length).toBeGreaterThan(1_000);

  const whole = await Station.create(server, 'whole');
  const unpaged = await listText('');
  for (const query of ['', '?mode=replace']) {
    expect((await whole.post(unpaged, 'json', { query })).status).toBe(200);
    expect((await whole.list()).resources).toEqual(expected);
  }

  const paged = await Station.create(server, 'paged');
  for (let offset = 0; offset < expected.length; offset += 250) {
    const page = await listText(`?page.size=250&page.offset=${offset}`);
    // JSON is YAML as well.
    expect((await paged.post(page, offset === 0 ? 'yaml' : 'json')).status).toBe(200);
  }
  expect((await paged.list()).resources).toEqual(expected);
  const summaries = await Promise.all([whole.summary(), paged.summary()]);
  expect({ ...summaries[0], revision: '' }).toEqual({ ...summaries[1], revision: '' });
});

shortOnly(it)('refuses to replace a station by one page of a listing', async () => {
  const station = await Station.create(target(), 'kept');
  await station.write(numbered(5));
  const before = await station.list();
  for (const query of ['?page.size=50', '?page.size=1000', '?page.offset=1&page.size=1000', '?page.size=0']) {
    for (const more of ['', '&dry_run=true', '&allow_removal=all']) {
      const sent = await station.post(await listText(query), 'json', { query: `?mode=replace${more}` });
      expect(expectProblem(await toAnswer(sent), 400, 'invalid_body').detail).toContain('page');
    }
  }
  expect(await station.list()).toEqual(before);
});

it('replaces any station by its own export without a change, and any other one into the same', async () => {
  const station = await Station.create(target(), 'original');
  const copy = await Station.create(target(), 'copy');
  const goesRound = async (records: Parameters<Station['write']>[0]) => {
    const written = await station.write(records, replaceAll);
    expect(written.status, await written.text()).toBe(200);
    const before = await station.list();
    const exported = await station.records();
    for (const format of exportFormats) {
      const text = await station.export(format);
      for (const query of ['?mode=replace', '?mode=merge']) {
        const result = (await (await station.post(text, format, { query })).json()) as WriteResult;
        expect(result).toMatchObject({ created: 0, updated: 0, removed: 0, unchanged: exported.length });
      }
      expect((await copy.post(text, format, replaceAll)).status).toBe(200);
      expect(await copy.records()).toEqual(exported);
      expect(await copy.export(format)).toBe(text);
      await copy.post('[]', 'json', replaceAll);
    }
    expect(await station.list()).toEqual(before);
  };
  await fc.assert(fc.asyncProperty(anyRecords, goesRound), { numRuns: scale(12, 60) });
});

it('finds every resource by its id, whatever the id is', async () => {
  const station = await Station.create(target(), 'found');
  const areFound = async (records: Parameters<Station['write']>[0]) => {
    await station.write(records, replaceAll);
    const exported = await station.records();
    for (const record of exported) {
      const id = encodeURIComponent(record.resource_id);
      expect(await (await station.ask(`/resources/${id}`)).json()).toMatchObject(record);
      expect((await station.list(`?page.size=2&resource_ids=${id}`)).page?.total).toBe(1);
      const changes = await (await station.ask(`/changes?page.size=1000&resource_id=${id}`)).json();
      expect((changes as HistoryPage).changes.at(-1)).toMatchObject({ change: 'created', resource: record });
    }
    for (const { resource_id: id } of exported) expect((await station.remove(id)).status).toBe(200);
    expect(await station.total()).toBe(0);
  };
  await fc.assert(fc.asyncProperty(anyRecords, areFound), { numRuns: scale(10, 40) });
});
