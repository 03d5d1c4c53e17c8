import { expect, it } from 'vitest';
import { parseDatabaseUrl } from './parse-database-url.ts';

it('reads host, port, database, user and password', () => {
  const { config, server } = parseDatabaseUrl('postgres://us%40er:p%2Fw%3A@db.example:6543/ro%20ster');
  expect(config).toEqual({
    host: 'db.example',
    port: 6543,
    database: 'ro ster',
    user: 'us@er',
    password: 'p/w:',
    ssl: false,
  });
  expect(server).toBe('db.example:6543/ro ster');
});

it('leaves out what is not given, and takes IPv6 addresses and directories of sockets', () => {
  expect(parseDatabaseUrl('postgresql://localhost/roster').config).toEqual({
    host: 'localhost',
    port: 5432,
    database: 'roster',
    ssl: false,
  });
  expect(parseDatabaseUrl('postgres://[::1]/roster').config.host).toBe('::1');
  expect(parseDatabaseUrl('postgres:///roster?host=/run/postgresql').config.host).toBe('/run/postgresql');
});

it('encrypts and verifies as sslmode asks', () => {
  const sslOf = (query: string) => parseDatabaseUrl(`postgres://db.example/roster?${query}`).config.ssl;
  expect(sslOf('sslmode=disable')).toBe(false);
  expect(sslOf('sslmode=require')).toEqual({ rejectUnauthorized: false });
  expect(sslOf('sslmode=verify-full')).toEqual({ checkServerIdentity: expect.any(Function) });
  expect(sslOf('sslmode=verify-ca')).toEqual({ checkServerIdentity: expect.any(Function) });
  const file = import.meta.filename;
  expect(sslOf(`sslmode=verify-full&sslrootcert=${file}`)).toMatchObject({
    ca: expect.stringContaining('sslrootcert'),
  });
});

it.each([
  ['', 'must be like postgres://'],
  ['mysql://secret@host/roster', 'must be like postgres://'],
  ['postgres://secret@/roster', 'must be like postgres://'],
  ['postgres:///roster', 'must name a host'],
  ['postgres://user:secret@host', 'must name a database'],
  ['postgres://user:secret@host/', 'must name a database'],
  ['postgres://user:secret%@host/roster', 'write % as %25'],
  ['postgres://user:secret@host/roster?sslmod=require', 'did you mean sslmode?'],
  ['postgres://user:secret@host/roster?password=secret', 'known are sslmode'],
  ['postgres://user:secret@host/roster?sslmode=prefer', 'one of disable, require, verify-ca, verify-full'],
  ['postgres://user:secret@host/roster?sslrootcert=/ca.pem', 'needs an sslmode'],
  ['postgres://user:secret@host/roster?sslmode=verify-ca&sslrootcert=/none.pem', '"/none.pem" (ENOENT)'],
])('refuses %s and does not repeat secrets', (url, reason) => {
  const parse = () => parseDatabaseUrl(url);
  expect(parse).toThrow(reason);
  expect(parse).not.toThrow(/secret/);
});
