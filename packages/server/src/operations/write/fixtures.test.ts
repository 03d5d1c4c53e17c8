import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseRecord, type RecordError, type RosterError, stationPath } from '@roster/contract';
import { createSqliteStore } from '@roster/store';
import { describe, expect, it } from 'vitest';
import { readValues } from './formats/testing/read-body.ts';
import { createReader, type RecordFormat } from './record-format.ts';
import { stageBody } from './stage-body.ts';

const fixtures = path.join(import.meta.dirname, '../../../../../e2e/fixtures');
const address = { subscription: 's', resourceGroup: 'g', zone: 'z', name: 't' };
const known = { types: new Set<string>(), states: new Set<string>() };

async function recordsOf(file: string, format: RecordFormat): Promise<object[]> {
  const body = await readFile(path.join(fixtures, file), 'utf8');
  return readValues(await createReader(format), body).map((value) => {
    const parsed = parseRecord(value, 1);
    if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
    return parsed.record;
  });
}

/** The faults that `faulty.csv` is refused with. */
async function findFaults(): Promise<readonly RecordError[]> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'roster-fixtures-'));
  const store = await createSqliteStore({ directory });
  try {
    await store.createStation(address);
    const bytes = await readFile(path.join(fixtures, 'faulty.csv'));
    async function* chunks(): AsyncGenerator<Buffer> {
      for (let start = 0; start < bytes.length; start += 5000) yield bytes.subarray(start, start + 5000);
    }
    const body = {
      chunks: chunks(),
      format: 'csv',
      maxBytes: 1e9,
      station: stationPath(address),
      known,
    } as const;
    const error = await stageBody(body, await store.openBatch(address)).catch((reason: unknown) => reason);
    return (error as RosterError).extensions!.faults as RecordError[];
  } finally {
    await store.close();
    await rm(directory, { recursive: true });
  }
}

describe('the fixtures', () => {
  it('hold the same resources in every format', async () => {
    const expected = await recordsOf('resources.ndjson', 'ndjson');
    expect(expected).toHaveLength(12);
    expect(await recordsOf('resources.json', 'json')).toEqual(expected);
    expect(await recordsOf('resources.csv', 'csv')).toEqual(expected);
    expect(await recordsOf('resources.yaml', 'yaml')).toEqual(expected);
    const listed = await recordsOf('listing.json', 'json');
    expect(listed).toHaveLength(expected.length);
    for (const record of listed) expect(expected).toContainEqual(expect.objectContaining(record));
  });

  it('hold a file with known faults, all of which are found', async () => {
    const known = JSON.parse(
      await readFile(path.join(fixtures, 'faulty.faults.json'), 'utf8'),
    ) as RecordError[];
    const found = await findFaults();
    const placeOf = ({ line, column, field }: RecordError) => ({ line, column, field });
    expect(found.map(placeOf)).toEqual(known.map(placeOf));
  });
});
