import { describe, expect, it } from 'vitest';
import { readSettings } from './settings.ts';

const url = 'postgres://roster:secret@db.example:5433/inventory?sslmode=require';

describe('the database', () => {
  it('is SQLite in a directory unless a URL is set', () => {
    expect(readSettings({})).toMatchObject({ database: undefined, dataDirectory: './data' });
    expect(readSettings({ ROSTER_DATABASE_URL: '' }).database).toBeUndefined();
  });

  it('is PostgreSQL where a URL is set', () => {
    const { database } = readSettings({
      ROSTER_DATABASE_URL: url,
      ROSTER_DATABASE_POOL: '8',
      ROSTER_DATA: '',
    });
    expect(database).toEqual({ url, server: 'db.example:5433/inventory', connections: 8 });
    expect(readSettings({ ROSTER_DATABASE_URL: url }).database?.connections).toBe(20);
  });

  it('must be one of the two', () => {
    const both = () => readSettings({ ROSTER_DATABASE_URL: url, ROSTER_DATA: '/data' });
    expect(both).toThrow(/ROSTER_DATA and ROSTER_DATABASE_URL are both set/);
  });

  it('is refused with what is wrong, and without the password', () => {
    const wrong = () =>
      readSettings({ ROSTER_DATABASE_URL: `${url}&sslmod=x`, ROSTER_DATABASE_POOL: '3', ROSTER_PORT: 'x' });
    expect(wrong).toThrow(/ROSTER_DATABASE_URL has an unknown parameter "sslmod"; did you mean sslmode\?/);
    expect(wrong).toThrow(/ROSTER_DATABASE_POOL must be a whole number from 4 to 1000, got "3"/);
    expect(wrong).toThrow(/ROSTER_PORT/);
    expect(wrong).not.toThrow(/secret/);
  });
});
