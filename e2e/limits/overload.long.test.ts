import { setTimeout as delay } from 'node:timers/promises';
import zlib from 'node:zlib';
import { expect, it } from 'vitest';
import { type Asked, Load } from '../testing/load.ts';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { mediaTypes, numbered, Station, toNdjson, writePath } from '../testing/station.ts';

/** A minute says more, and takes a minute. */
const overloadMs = Number(process.env.OVERLOAD_SECONDS ?? 15) * 1000;
/** Requests wait for two seconds before others are turned away. Until so many are there, a fast machine needs longer. */
const longestMs = Math.max(60_000, overloadMs);

/** Asks for the health of a server, again and again, until it is told to stop. */
async function watchHealth(server: RunningServer, isOver: () => boolean): Promise<number[]> {
  const statuses: number[] = [];
  while (!isOver()) {
    statuses.push((await server.fetch('/healthz')).status, (await server.fetch('/readyz')).status);
    await delay(200);
  }
  return statuses;
}

/** A compressed file with a fault in every line: much work for the server, and little for who sends it. */
function faultyImport(server: RunningServer, station: Station): Asked {
  const body = zlib.gzipSync(toNdjson(numbered(20_000, 'vm', { alert_rules_count: -1 })));
  return {
    url: `${server.url}${writePath(station.path)}`,
    method: 'POST',
    headers: {
      'Content-Type': mediaTypes.ndjson,
      'Content-Encoding': 'gzip',
      'Content-Length': body.length,
    },
    body,
  };
}

it('sheds what is too much, answers the rest, and recovers within 10 seconds', async () => {
  const server = await startServer({ environment: { ROSTER_LIMITS_LAG_MS: '250' } });
  const station = await Station.create(server);
  await station.write(numbered(100));
  const asked = faultyImport(server, station);
  await new Load(asked).sendInLanes(4, 2_000);
  const capacity = await new Load(asked).sendInLanes(4, 3_000);
  const before = server.process.residentMb();

  const load = new Load(asked);
  let isOver = false;
  const health = watchHealth(server, () => isOver);
  // The machine may do more than it could before, or less.
  await load.sendAtRate(
    (answered) => 2 * Math.max(capacity, answered(422)),
    (elapsedMs) => elapsedMs > longestMs || (elapsedMs > overloadMs && load.count(503) > 0),
  );
  isOver = true;
  expect(load.errors).toEqual([]);
  const shed = load.outcomes.filter(({ status }) => status === 503);
  expect(load.count(422)).toBe(load.outcomes.length - shed.length);
  expect(shed.length).toBeGreaterThan(0);
  expect(load.count(422)).toBeGreaterThan(0);
  for (const { headers } of shed) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(new Set(await health)).toEqual(new Set([200]));

  await recovered(station);
  expect(await station.total()).toBe(110);
  // All that was sent, decompressed, is more than 200 MB already after 15 seconds on a slow machine.
  expect(server.process.residentMb() - before).toBeLessThan(200);
  expect(server.process.stderr).toContain('overloaded: refusing requests');
  const metrics = await (await server.fetch('/metrics')).text();
  expect(metrics).toMatch(/^roster_http_requests_turned_away_total\{reason="overload"\} [1-9]/m);
});

/** Resolves when twenty lists in a row and then a write are answered; throws if that takes longer than 10 seconds. */
async function recovered(station: Station): Promise<void> {
  const deadline = performance.now() + 10_000;
  const requireTime = () => {
    if (performance.now() > deadline) throw new Error('the server did not recover within 10 seconds');
  };
  for (let inRow = 0; inRow < 20; requireTime()) {
    inRow = (await station.get('?page.size=1')).status === 200 ? inRow + 1 : 0;
  }
  // Writes are turned away apart from reads, and it was writes that were too many.
  while ((await station.write(numbered(10, 'after'))).status !== 200) {
    requireTime();
    await delay(100);
  }
}
