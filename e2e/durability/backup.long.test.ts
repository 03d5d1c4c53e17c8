import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binariesOf15, PostgresServer } from '@roster/store/postgres-server';
import { expect, it } from 'vitest';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { Station } from '../testing/station.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const binaries = binariesOf15();
const withTools = it.skipIf(binaries === undefined);

function run(tool: string, ...words: string[]): void {
  execFileSync(join(binaries!, tool), words, { stdio: 'pipe' });
}

function startOn(url: string): Promise<RunningServer> {
  return startServer({
    environment: { ROSTER_DATA: '', ROSTER_DATABASE_URL: url, ROSTER_DATABASE_POOL: '8' },
  });
}

/** A station with what is in the backup, and a revision that is not. */
async function writeAround(station: Station, backUp: () => void): Promise<string> {
  await station.write([{ resource_id: 'kept' }]);
  backUp();
  await station.write([{ resource_id: 'lost' }]);
  return (await station.list()).revision;
}

async function expectRestored(server: RunningServer, path: string, lost: string): Promise<void> {
  const station = new Station(server, path);
  expect((await station.list()).resources.map(({ resource_id: id }) => id)).toEqual(['kept']);
  expect((await station.get('?page.size=1', { 'Roster-Revision': lost })).status).toBe(410);
  expect((await station.write([{ resource_id: 'new' }])).status).toBe(200);
  expect((await station.get('?page.size=1', { 'Roster-Revision': lost })).status).toBe(410);
}

withTools('restores a dump into another database', async () => {
  await using postgres = await PostgresServer.start({ binaries: binaries! });
  const url = await postgres.createDatabase();
  const before = await startOn(url);
  const station = await Station.create(before);
  const dump = join(temporaryDirectory(), 'roster.dump');
  const lost = await writeAround(station, () => run('pg_dump', '--format=custom', `--file=${dump}`, url));
  await before.process.stop();
  const restored = await postgres.createDatabase();
  run('pg_restore', '--no-owner', '--exit-on-error', `--dbname=${restored}`, dump);
  run('psql', restored, '-c', "UPDATE meta SET value = 'restored' WHERE key = 'lineage'");
  await expectRestored(await startOn(restored), station.path, lost);
});

withTools('restores a base backup', async () => {
  await using postgres = await PostgresServer.start({ binaries: binaries! });
  const url = await postgres.createDatabase();
  const before = await startOn(url);
  const station = await Station.create(before);
  const backup = join(temporaryDirectory(), 'base');
  const connection = ['-h', '127.0.0.1', '-p', String(postgres.port), '-U', 'roster'];
  const lost = await writeAround(station, () =>
    run('pg_basebackup', ...connection, '--pgdata', backup, '--wal-method=stream', '--checkpoint=fast'),
  );
  await before.process.stop();
  await postgres.stop();
  putBack(backup, postgres.directory);
  await postgres.start();
  await expectRestored(await startOn(url), station.path, lost);
});

/** Lets the server recover to the end of the backup, on a new timeline. */
function putBack(backup: string, directory: string): void {
  const { uid, gid } = statSync(directory);
  rmSync(directory, { recursive: true });
  cpSync(backup, directory, { recursive: true });
  writeFileSync(join(directory, 'recovery.signal'), '');
  appendFileSync(join(directory, 'postgresql.auto.conf'), "restore_command = 'false'\n");
  execFileSync('chown', ['-R', `${uid}:${gid}`, directory]);
}
