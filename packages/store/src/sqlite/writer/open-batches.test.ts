import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { aBatch, station } from '../../testing/station-data.ts';
import { migrate } from '../database/migrations.ts';
import { openForWriting } from '../database/open-database.ts';
import { sealRows } from '../database/row-checksums.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { flattenRecords } from './flat-records.ts';
import { OpenBatches } from './open-batches.ts';
import { createStation } from './station-writes.ts';

let db: DatabaseSync;
let batches: OpenBatches;
let epoch: string;

beforeEach(() => {
  const file = join(temporaryDirectory(), 'roster.db');
  db = openForWriting(file);
  onTestFinished(() => db.close());
  migrate(db, file);
  epoch = createStation(db, station).head.epoch;
  batches = new OpenBatches(db, 1);
});

function cacheSize(): unknown {
  return db.prepare('PRAGMA cache_size').get();
}

function startImport(padding = ''): void {
  batches.open(1, { address: station, epoch, options: {} });
  batches.add(1, flattenRecords(aBatch(1, 'first')));
  batches.add(1, flattenRecords(aBatch(1_000, 'second', padding)));
  expect(db.isTransaction).toBe(true);
}

const endings: Record<string, () => void> = {
  committed: () => void batches.commit(1),
  discarded: () => batches.discard(1),
  'given up': () => batches.giveUpEarlyWrite(),
  'in conflict': () => batches.add(1, flattenRecords(aBatch(1, 'first'))),
  planned: () => void batches.plan(1, 0),
};

it.each(Object.entries(endings))('leaves nothing of an early write that is %s', (_, end) => {
  const before = cacheSize();
  startImport();
  expect(cacheSize()).not.toEqual(before);
  end();
  expect(db.isTransaction).toBe(false);
  expect(cacheSize()).toEqual(before);
});

it('leaves nothing of an early write that cannot begin', () => {
  const before = cacheSize();
  batches.open(1, { address: station, epoch, options: {} });
  db.exec('UPDATE stations SET id = id + 1000');
  sealRows(db, 'stations', 'true');
  batches.add(1, flattenRecords(aBatch(1)));
  expect(db.isTransaction).toBe(false);
  expect(cacheSize()).toEqual(before);
  expect(() => batches.commit(1)).toThrow('there is no station');
});

it('writes nothing of a dry run', () => {
  batches.open(1, { address: station, epoch, options: { dryRun: true } });
  batches.add(1, flattenRecords(aBatch(3)));
  expect(db.isTransaction).toBe(false);
  expect(batches.plan(1, 0)).toMatchObject({ created: 3 });
});

it('closes the file of the rows that it has kept', () => {
  for (const end of [() => batches.commit(1), () => batches.discard(1)]) {
    startImport('x'.repeat(10_000));
    const before = temporaryFiles();
    end();
    expect(temporaryFiles()).toBeLessThan(before);
    db.exec('DELETE FROM resources; UPDATE stations SET counts = \'{"resources":0,"byState":{}}\'');
    sealRows(db, 'stations', 'true');
  }
  startImport('x'.repeat(10_000));
  batches.giveUpEarlyWrite();
  const before = temporaryFiles();
  batches.validate(1);
  expect(temporaryFiles()).toBeLessThan(before);
});

it('stages what it has kept in parts, so that others get in between', () => {
  batches.open(1, { address: station, epoch, options: {} });
  for (let piece = 0; piece < 30; piece++) batches.add(1, flattenRecords(aBatch(1, `piece-${piece}`)));
  expect(batches.validate(1)).toBeUndefined();
  const waits: number[] = [];
  for (const ask of [() => batches.plan(1, 0), () => batches.commit(1)]) {
    let waited = 0;
    while (ask() === undefined) {
      waited++;
      createStation(db, { ...station, name: `beside-${waited}` });
    }
    waits.push(waited);
  }
  expect(waits[0]).toBeGreaterThan(3);
  expect(waits[1]).toBe(0);
  expect(db.prepare('SELECT count(*) AS count FROM resources').get()).toEqual({ count: 30 });
  expect(batches.isIdle).toBe(true);
});

it('stages the rest in parts of an import that gave way at its very end', () => {
  batches.open(1, { address: station, epoch, options: {} });
  for (let piece = 0; piece < 30; piece++) batches.add(1, flattenRecords(aBatch(1, `piece-${piece}`)));
  batches.giveUpEarlyWrite();
  expect(batches.commit(1)).toBeUndefined();
  expect(batches.isIdle).toBe(false);
  let committed = batches.commit(1);
  for (let asked = 0; committed === undefined && asked < 30; asked++) committed = batches.commit(1);
  expect(committed).toMatchObject({ result: { created: 30 } });
  expect(batches.isIdle).toBe(true);
});

/** How many files are open that are no longer in their directory, as SQLite has its temporary ones. */
function temporaryFiles(): number {
  const links = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return links.filter((link) => link.includes('etilqs')).length;
}
