import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { longOnly, scale } from '../../../../../testing/scale.ts';
import { temporaryDirectory } from '../../sqlite/testing/temporary-directory.ts';
import { aBatch, countResources, put, station } from '../../testing/station-data.ts';
import { createPostgresStore } from '../create-postgres-store.ts';
import { CertificateAuthority } from '../testing/certificate-authority.ts';
import { binariesOf15, embeddedBinaries, PostgresServer } from '../testing/postgres-server.ts';

/** The tests themselves come in as they like, everyone else only encrypted, with a password, or with a certificate. */
const access = `
host    all roster    127.0.0.1/32 trust
hostssl all guarded   127.0.0.1/32 scram-sha-256
hostssl all certified 127.0.0.1/32 trust clientcert=verify-ca
`;

describe.each(
  [
    { name: 'PostgreSQL 18', binaries: embeddedBinaries() },
    { name: 'PostgreSQL 15', binaries: scale(undefined, binariesOf15()) },
  ].filter(({ binaries }) => binaries !== undefined),
)('$name with TLS', ({ binaries }) => {
  const authority = new CertificateAuthority();
  const stranger = new CertificateAuthority();
  let server: PostgresServer;
  let database: string;

  beforeAll(async () => {
    server = await startWith('DNS:localhost,IP:127.0.0.1');
    database = new URL(await prepare(server)).pathname;
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    authority[Symbol.dispose]();
    stranger[Symbol.dispose]();
  });

  async function startWith(names: string): Promise<PostgresServer> {
    const { certificate, key } = authority.sign(names);
    const trusted = readFileSync(authority.file, 'utf8');
    return PostgresServer.start({
      binaries: binaries!,
      settings: { ssl: 'on', ssl_ca_file: 'ca.crt' },
      files: { 'server.crt': certificate, 'server.key': key, 'ca.crt': trusted, 'pg_hba.conf': access },
    });
  }

  async function prepare(running: PostgresServer): Promise<string> {
    const url = await running.createDatabase();
    await running.query("CREATE ROLE guarded LOGIN SUPERUSER PASSWORD 'pass word/1'", url);
    await running.query('CREATE ROLE certified LOGIN SUPERUSER', url);
    return url;
  }

  function urlOf(query: string, { host = 'localhost', user = 'guarded:pass%20word%2F1' } = {}): string {
    return `postgres://${user}@${host}:${server.port}${database}?${query}`;
  }

  async function use(url: string): Promise<void> {
    const store = await createPostgresStore({ url, connections: 4 });
    onTestFinished(() => store.close());
    await store.createStation(station);
    await put(store, aBatch(3));
    expect(await countResources(store)).toBe(3);
    const encrypted = await server.query(
      "SELECT DISTINCT s.ssl FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid) WHERE a.application_name = 'roster'",
    );
    expect(encrypted).toEqual([{ ssl: true }]);
    await store.close();
  }

  const opening = (url: string) => createPostgresStore({ url, connections: 4 });
  const trusting = (authorityFile: string) => `sslrootcert=${encodeURIComponent(authorityFile)}`;

  it.each(['require', 'verify-ca', 'verify-full'])(
    'works with sslmode=%s and the right authority',
    async (mode) => {
      await use(urlOf(`sslmode=${mode}&${trusting(authority.file)}`));
    },
  );

  it('works with the address of the host where the certificate names that', async () => {
    await use(urlOf(`sslmode=verify-full&${trusting(authority.file)}`, { host: '127.0.0.1' }));
  });

  it('encrypts with sslmode=require, whoever answers', async () => {
    await use(urlOf('sslmode=require'));
  });

  it.each(['verify-ca', 'verify-full'])('refuses another authority with sslmode=%s', async (mode) => {
    const refused = opening(urlOf(`sslmode=${mode}&${trusting(stranger.file)}`));
    await expect(refused).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect(refused).rejects.toThrow(/certificate|issuer/);
    await expect(opening(urlOf(`sslmode=${mode}`))).rejects.toThrow(/certificate|issuer/);
  });

  longOnly(it)(
    'refuses a server whose certificate names another host with verify-full, and not with verify-ca',
    async () => {
      await using other = await startWith('DNS:db.example');
      const url = await prepare(other);
      for (const host of ['localhost', '127.0.0.1']) {
        const at = (mode: string) =>
          `${url.replace('roster@', 'guarded:pass%20word%2F1@').replace('127.0.0.1', host)}?sslmode=${mode}&${trusting(authority.file)}`;
        await expect(opening(at('verify-full'))).rejects.toThrow(/does not match certificate's altnames/);
        const store = await opening(at('verify-ca'));
        await store.close();
      }
    },
  );

  it('takes the password from the URL or from PGPASSWORD, and shows it in no message', async () => {
    const query = `sslmode=verify-full&${trusting(authority.file)}`;
    process.env.PGPASSWORD = 'pass word/1';
    onTestFinished(() => {
      delete process.env.PGPASSWORD;
    });
    await use(urlOf(query, { user: 'guarded' }));
    const refused = opening(urlOf(query, { user: 'guarded:secret' }));
    await expect(refused).rejects.toThrow('it refuses the password of this user');
    await expect(refused).rejects.not.toThrow(/secret/);
  });

  it('is refused by the server without encryption', async () => {
    await expect(opening(urlOf('sslmode=disable'))).rejects.toThrow(/it refuses this user .*no encryption/);
  });

  it('shows a certificate of its own where the server asks for one', async () => {
    const { certificate, key } = authority.sign('DNS:client');
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'client.pem'), certificate);
    writeFileSync(join(directory, 'client.key'), key);
    const own = `sslcert=${encodeURIComponent(join(directory, 'client.pem'))}&sslkey=${encodeURIComponent(join(directory, 'client.key'))}`;
    const query = `sslmode=verify-full&${trusting(authority.file)}`;
    await use(urlOf(`${query}&${own}`, { user: 'certified' }));
    await expect(opening(urlOf(query, { user: 'certified' }))).rejects.toThrow(/certificate/);
  });
});

longOnly(it)('says so when a server has no TLS', async () => {
  await using server = await PostgresServer.start();
  const url = `${await server.createDatabase()}?sslmode=require`;
  await expect(createPostgresStore({ url })).rejects.toThrow(/does not support SSL/);
});
