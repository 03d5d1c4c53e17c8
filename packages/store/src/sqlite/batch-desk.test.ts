import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { aBatch, station } from '../testing/station-data.ts';
import { BatchDesk } from './batch-desk.ts';
import { flattenRecords } from './flat-records.ts';
import { migrate } from './migrations.ts';
import { openForWriting } from './open-database.ts';
import { createStation } from './station-writes.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

let db: DatabaseSync;
let desk: BatchDesk;

beforeEach(() => {
  const file = join(temporaryDirectory(), 'roster.db');
  db = openForWriting(file);
  onTestFinished(() => db.close());
  migrate(db, file);
  createStation(db, station);
  desk = new BatchDesk(db, 1);
});

function cacheSize(): unknown {
  return db.prepare('PRAGMA cache_size').get();
}

function startImport(padding = ''): void {
  desk.open(1, { address: station, options: {} });
  desk.add(1, flattenRecords(aBatch(1, 'first')));
  desk.add(1, flattenRecords(aBatch(1_000, 'second', padding)));
  expect(db.isTransaction).toBe(true);
}

const endings: Record<string, () => void> = {
  committed: () => void desk.commit(1),
  discarded: () => desk.discard(1),
  'given up': () => desk.giveUpEarlyWrite(),
  'in conflict': () => desk.add(1, flattenRecords(aBatch(1, 'first'))),
  planned: () => void desk.plan(1, 0),
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
  desk.open(1, { address: station, options: {} });
  db.exec('UPDATE stations SET id = id + 1000');
  desk.add(1, flattenRecords(aBatch(1)));
  expect(db.isTransaction).toBe(false);
  expect(cacheSize()).toEqual(before);
  expect(() => desk.commit(1)).toThrow('there is no station');
});

it('writes nothing of a dry run', () => {
  desk.open(1, { address: station, options: { dryRun: true } });
  desk.add(1, flattenRecords(aBatch(3)));
  expect(db.isTransaction).toBe(false);
  expect(desk.plan(1, 0)).toMatchObject({ difference: { created: 3 } });
});

it('closes the file of the rows that it has kept', () => {
  for (const end of [() => desk.commit(1), () => desk.discard(1)]) {
    startImport('x'.repeat(10_000));
    const before = temporaryFiles();
    end();
    expect(temporaryFiles()).toBeLessThan(before);
    db.exec('DELETE FROM resources; UPDATE stations SET counts = \'{"resources":0,"byState":{}}\'');
  }
  startImport('x'.repeat(10_000));
  desk.giveUpEarlyWrite();
  const before = temporaryFiles();
  desk.validate(1);
  expect(temporaryFiles()).toBeLessThan(before);
});

it('stages what it has kept in parts, so that others get in between', () => {
  desk.open(1, { address: station, options: {} });
  for (let piece = 0; piece < 30; piece++) desk.add(1, flattenRecords(aBatch(1, `piece-${piece}`)));
  expect(desk.validate(1)).toBeUndefined();
  const waits: number[] = [];
  for (const ask of [() => desk.plan(1, 0), () => desk.commit(1)]) {
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
  expect(desk.isIdle).toBe(true);
});

it('stages the rest in parts of an import that gave way at its very end', () => {
  desk.open(1, { address: station, options: {} });
  for (let piece = 0; piece < 30; piece++) desk.add(1, flattenRecords(aBatch(1, `piece-${piece}`)));
  desk.giveUpEarlyWrite();
  expect(desk.commit(1)).toBeUndefined();
  expect(desk.isIdle).toBe(false);
  let committed = desk.commit(1);
  for (let asked = 0; committed === undefined && asked < 30; asked++) committed = desk.commit(1);
  expect(committed).toMatchObject({ result: { created: 30 } });
  expect(desk.isIdle).toBe(true);
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
