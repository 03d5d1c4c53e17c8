import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { longOnly, scale, shortOnly } from '../../testing/scale.ts';
import { type RunningServer, spawnServer, startServer } from '../testing/start-server.ts';
import { Station } from '../testing/station.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const fileOf = ({ data }: RunningServer, suffix = '') => join(data, `roster.db${suffix}`);

const program = (file: string, code: string) => [
  '--input-type=module',
  '--eval',
  `import { DatabaseSync } from 'node:sqlite'; const db = new DatabaseSync(${JSON.stringify(file)}); ${code}`,
];

/** Runs in a process of its own, as a backup or a shell of SQLite does. */
function runElsewhere(file: string, code: string): { status: number | null; stderr: string } {
  return spawnSync(process.execPath, program(file, code), { encoding: 'utf8' });
}

/** Reads the database in a process of its own, for as long as the test takes. */
async function readElsewhere(file: string): Promise<void> {
  const code =
    "db.exec('BEGIN; SELECT * FROM resources'); console.log('reading'); setTimeout(() => {}, 60_000)";
  const reader = spawn(process.execPath, program(file, code), { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void reader.kill('SIGKILL'));
  await once(reader.stdout, 'data');
}

async function startWithStation(): Promise<{ server: RunningServer; station: Station }> {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write([{ resource_id: 'first' }]);
  return { server, station };
}

const idsOf = async (station: Station) =>
  (await station.list()).resources.map(({ resource_id: id }) => id as string);

describe('a lock file that was deleted', () => {
  longOnly(it)('lets no second server in, and the next one as soon as the first was killed', async () => {
    const { server, station } = await startWithStation();
    rmSync(join(server.data, 'roster.lock'));
    for (let attempt = 0; attempt < scale(1, 2); attempt++) {
      const second = spawnServer({ data: server.data });
      expect((await second.process.exited).code).not.toBe(0);
      expect(second.process.stderr).toContain('roster.db is open in another process');
    }
    expect((await station.write([{ resource_id: 'second' }])).status).toBe(200);
    await server.process.kill();
    const next = await startServer({ data: server.data });
    expect(await idsOf(new Station(next, station.path))).toEqual(['first', 'second']);
  });

  shortOnly(it)('does not matter to backups, while the server runs and while it starts', async () => {
    const { server, station } = await startWithStation();
    const backup = join(temporaryDirectory(), 'roster.db');
    expect(runElsewhere(fileOf(server), `db.exec("VACUUM INTO '${backup}'")`).status).toBe(0);
    expect(runElsewhere(backup, "if (!db.prepare('SELECT * FROM resources').get()) throw 1").status).toBe(0);
    await server.process.stop();
    await readElsewhere(fileOf(server));
    const next = await startServer({ data: server.data });
    expect(await idsOf(new Station(next, station.path))).toEqual(['first']);
  });
});

describe('a database that is taken away while the server runs', () => {
  const takeAway: Record<string, (server: RunningServer) => void> = {
    'replaced by rename': (server) => {
      const backup = join(server.data, 'backup.db');
      expect(runElsewhere(fileOf(server), `db.exec("VACUUM INTO '${backup}'")`).status).toBe(0);
      renameSync(backup, fileOf(server));
    },
    deleted: (server) => rmSync(fileOf(server)),
    'without its log': (server) => rmSync(fileOf(server, '-wal')),
    'with another log': (server) => {
      writeFileSync(fileOf(server, '-new'), '');
      renameSync(fileOf(server, '-new'), fileOf(server, '-wal'));
    },
  };

  const attacks = scale(['deleted', 'with another log'], ['replaced by rename', 'without its log']);
  it.each(attacks.map((name) => [name, takeAway[name]!] as const))(
    '%s: no write is acknowledged, no list answered, and it is said why',
    async (_, attack) => {
      const { server, station } = await startWithStation();
      attack(server);
      for (let attempt = 0; attempt < 3; attempt++) {
        const written = await station.write([{ resource_id: `after-${attempt}` }]);
        expect([written.status, ((await written.json()) as { code: string }).code]).toEqual([
          503,
          'database_replaced',
        ]);
      }
      expect((await station.get()).status).toBe(503);
      expect((await server.fetch('/readyz')).status).toBe(503);
      expect((await server.fetch('/healthz')).status).toBe(200);
      const [told] = server.process.stderr.split('\n').filter((line) => line.includes('until a restart'));
      expect(JSON.parse(told!)).toMatchObject({
        level: 50,
        err: { message: expect.stringContaining('restart the server') },
      });
      expect((await server.process.stop()).code).toBe(0);
    },
  );

  longOnly(it)('is noticed although nobody writes', async () => {
    const { server, station } = await startWithStation();
    takeAway.deleted!(server);
    await vi.waitFor(async () => expect((await server.fetch('/readyz')).status).toBe(503), {
      timeout: 10_000,
    });
    expect((await station.get()).status).toBe(503);
  });

  longOnly(it)('has every write that was acknowledged, whenever that happens', async () => {
    const { server, station } = await startWithStation();
    const kept = new Set(['first']);
    let isOver = false;
    const writing = (async () => {
      for (let n = 0; !isOver; n++) {
        const id = `n-${n}`;
        if ((await station.write([{ resource_id: id }])).status === 200) kept.add(id);
        else isOver = true;
      }
    })();
    await vi.waitFor(() => expect(kept.size).toBeGreaterThan(20), { timeout: 10_000 });
    const moved = join(temporaryDirectory(), 'moved.db');
    // What was acknowledged is in the files that were there, wherever they are now.
    for (const suffix of ['-wal', '']) renameSync(fileOf(server, suffix), `${moved}${suffix}`);
    await writing;
    await server.process.kill();
    const check = `
      const found = new Set(db.prepare('SELECT resource_id AS id FROM resources').all().map(({ id }) => id));
      for (const id of ${JSON.stringify([...kept])}) if (!found.has(id)) throw new Error('lost ' + id);
    `;
    expect(runElsewhere(moved, check)).toMatchObject({ status: 0 });
  });
});

describe('a log that lost its end while the server was stopped', () => {
  /** Kills the server after writes of which the last two are lost; returns what was given out for them. */
  async function loseWrites(lose: (log: string, sizeBefore: number) => void) {
    const { server: first, station: written } = await startWithStation();
    await first.process.stop();
    const { data } = first;
    const server = await startServer({ data });
    const station = new Station(server, written.path);
    const log = fileOf(server, '-wal');
    const { size } = statSync(log);
    await station.write([{ resource_id: 'lost' }]);
    await station.write([{ resource_id: 'lost too' }]);
    const lost = await station.list();
    const etag = (await station.get()).headers.get('etag')!;
    await server.process.kill();
    lose(log, size);
    const next = await startServer({ data });
    return { next, station: new Station(next, written.path), lost, etag };
  }

  const removed = ['removed', (log: string) => rmSync(log)] as const;
  const cutOff = ['cut off', (log: string, size: number) => truncateSync(log, size)] as const;
  it.each(scale<(typeof removed | typeof cutOff)[]>([cutOff], [removed]))(
    '%s: what was given out for it expires, and is never taken for what has its number now',
    async (_, lose) => {
      const { next, station, lost, etag } = await loseWrites(lose);
      expect(await idsOf(station)).toEqual(['first']);
      const expectExpired = async () => {
        const [epoch] = lost.revision.split('.');
        for (const since of [lost.revision, `${epoch}.0`]) {
          expect((await station.ask(`/changes?since=${since}`)).status).toBe(410);
          expect((await station.ask(`/changes/stream?since=${since}`)).status).toBe(410);
        }
        expect((await station.get('', { 'Roster-Revision': lost.revision })).status).toBe(410);
        expect((await station.get('', { 'If-None-Match': etag })).status).toBe(200);
      };
      await expectExpired();
      await station.write([{ resource_id: 'new' }]);
      await station.write([{ resource_id: 'newer' }]);
      await expectExpired();
      expect((await station.list()).revision.split('.')[1]).toBe(lost.revision.split('.')[1]);
      expect(next.process.stderr).toContain('every station has a new epoch');
    },
  );

  longOnly(it)('that lost nothing keeps what was given out, after a kill', async () => {
    const { station, lost, etag } = await loseWrites(() => undefined);
    expect((await station.ask(`/changes?since=${lost.revision}`)).status).toBe(200);
    expect((await station.get('', { 'If-None-Match': etag })).status).toBe(304);
  });
});

describe('a start', () => {
  longOnly(it)('begins no empty inventory where the database of one is gone', async () => {
    const { server } = await startWithStation();
    rmSync(fileOf(server));
    await server.process.kill();
    const next = spawnServer({ data: server.data });
    expect((await next.process.exited).code).not.toBe(0);
    expect(next.process.stderr).toMatch(/had an inventory, and .*roster\.db is gone/);
    rmSync(join(server.data, 'roster.mark'));
    rmSync(join(server.data, 'roster.generation'));
    for (const suffix of ['-wal', '-shm']) rmSync(fileOf(server, suffix), { force: true });
    expect((await (await startServer({ data: server.data })).fetch('/readyz')).status).toBe(200);
  });

  shortOnly(it)('does not mix a database with the log of the one before', async () => {
    const { server, station } = await startWithStation();
    const backup = join(temporaryDirectory(), 'roster.db');
    runElsewhere(fileOf(server), `db.exec("VACUUM INTO '${backup}'")`);
    expect((await station.write([{ resource_id: 'second' }])).status).toBe(200);
    await server.process.kill();
    renameSync(backup, fileOf(server));
    const refused = spawnServer({ data: server.data });
    expect((await refused.process.exited).code).not.toBe(0);
    expect(refused.process.stderr).toMatch(/roster\.db-wal belongs to the database that was here before/);
    rmSync(fileOf(server, '-wal'));
    const next = await startServer({ data: server.data });
    expect(await idsOf(new Station(next, station.path))).toEqual(['first']);
  });
});
