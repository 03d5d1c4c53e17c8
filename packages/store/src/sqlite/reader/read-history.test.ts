import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { migrate } from '../database/migrations.ts';
import { historySql } from './read-history.ts';

it('reads a page of history from ranges of indexes, and sorts no more than the changes of one row', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, 'roster.db');
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${historySql}`).all() as { detail: string }[];
  const details = steps.map(({ detail }) => detail);
  const searches = details.filter((detail) => detail.startsWith('SEARCH') && !/^SEARCH a /.test(detail));
  expect(searches).toHaveLength(6);
  for (const search of searches)
    expect(search).toMatch(/\(station_id=\? AND (until|created)_revision(>\?|=\? AND (row)?id>\?)\)/);
  expect(details.filter((detail) => detail.startsWith('SCAN'))).toEqual(['SCAN changed']);
  const sorts = details.filter((detail) => detail.includes('TEMP B-TREE'));
  expect(new Set(sorts)).toEqual(new Set(['USE TEMP B-TREE FOR LAST TERM OF ORDER BY']));
  db.close();
});
