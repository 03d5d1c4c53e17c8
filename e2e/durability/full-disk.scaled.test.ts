import { expect, it } from 'vitest';
import { longOnly, scale } from '../../testing/scale.ts';
import { expectProblem, toAnswer } from '../testing/check-answer.ts';
import { canMount, neededToMount, SmallDisk } from '../testing/small-disk.ts';
import { spawnServer, startServer } from '../testing/start-server.ts';
import { numbered, Station, stationPath } from '../testing/station.ts';

/** In continuous integration nothing may be left out quietly, so there the tests run and fail. */
const skip = !canMount && !process.env.CI;
const onSmallDisk = it.skipIf(skip);
const note = canMount ? '' : ` (needs ${neededToMount})`;
const largeText = 'x'.repeat(500);

for (const roomLeftBytes of scale([0], [64 * 1024, 2 * 1024 * 1024])) {
  onSmallDisk(
    `refuses writes with ${roomLeftBytes} bytes of disk left, and takes them again later${note}`,
    async () => {
      const disk = await SmallDisk.create(48);
      const options = { data: disk.directory, launcher: disk.launcher };
      const server = await startServer(options);
      const station = await Station.create(server);
      expect((await station.write(numbered(500, 'before', { sku: largeText }))).status).toBe(200);
      const before = await station.list();

      disk.fill(roomLeftBytes);
      const large = numbered(20_000, 'large', { sku: largeText });
      for (let attempt = 0; attempt < 3; attempt++) {
        expectProblem(await toAnswer(await station.write(large)), 507, 'storage_full');
        expect(await station.list()).toEqual(before);
      }
      expect((await server.fetch('/readyz')).status).toBe(200);
      let written = 0;
      if (roomLeftBytes === 0) {
        expectProblem(await toAnswer(await fillUp(station)), 507, 'storage_full');
        written = (await station.total()) - 500;
        expectProblem(await toAnswer(await station.remove('before-00000')), 507, 'storage_full');
        expectProblem(
          await toAnswer(await new Station(server, stationPath('another')).put()),
          507,
          'storage_full',
        );
        expect((await station.list('?resource_display_name_prefix=before')).resources).toEqual(
          before.resources,
        );
      }

      disk.free();
      expect((await station.write(numbered(500, 'after'))).status).toBe(200);
      expect(await station.total()).toBe(1_000 + written);
      expect(await server.process.stop()).toEqual({ code: 0, signal: null });
      const again = new Station(await startServer(options), station.path);
      expect(await again.total()).toBe(1_000 + written);
      expect((await again.list('?resource_display_name_prefix=before')).resources).toEqual(before.resources);
      expect((await again.write(numbered(500, 'after the restart'))).status).toBe(200);
    },
  );
}

/** Small writes may still find room in what the store has set aside; sooner or later one is refused. */
async function fillUp(station: Station): Promise<Response> {
  for (let round = 0; ; round++) {
    const response = await station.write(numbered(10, `small-${round}`, { sku: largeText }));
    if (response.status !== 200) return response;
  }
}

longOnly(onSmallDisk)(`survives being killed on a full disk${note}`, async () => {
  const disk = await SmallDisk.create(48);
  const options = { data: disk.directory, launcher: disk.launcher };
  const server = await startServer(options);
  const station = await Station.create(server);
  expect((await station.write(numbered(500))).status).toBe(200);
  disk.fill();
  expect((await station.write(numbered(20_000, 'large', { sku: largeText }))).status).toBe(507);
  await server.process.kill();
  const refused = spawnServer(options).process;
  const outcome = await Promise.race([refused.exited, refused.address().catch(() => refused.exited)]);
  if (!(outcome instanceof URL)) {
    expect(outcome).toEqual({ code: 1, signal: null });
    expect(refused.stderr).toMatch(/^roster: [^\n]*(space|full)[^\n]*\n$/);
  } else await refused.stop();
  disk.free();
  const again = new Station(await startServer(options), station.path);
  expect(await again.total()).toBe(500);
  expect((await again.write(numbered(500, 'after'))).status).toBe(200);
});

longOnly(onSmallDisk)(`refuses a replace on a full disk, and goes on to show everything${note}`, async () => {
  const disk = await SmallDisk.create(48);
  const options = { data: disk.directory, launcher: disk.launcher };
  const server = await startServer(options);
  const station = await Station.create(server);
  await station.write(numbered(1_000, 'vm', { sku: largeText }));
  await station.write(numbered(500, 'vm', { state: 'ALERTSTATE_FIRING' }));
  const all = async () => ({
    list: await station.list(),
    summary: await station.summary(),
    station: await station.described(),
    csv: await station.export('csv'),
    history: await station.history(),
  });
  const before = await all();
  expect(before.history).toHaveLength(1_500);

  disk.fill();
  const large = numbered(20_000, 'large', { sku: largeText });
  for (const query of ['?mode=replace&allow_removal=all', '?mode=merge']) {
    expectProblem(await toAnswer(await station.write(large, { query })), 507, 'storage_full');
    expect(await all()).toEqual(before);
  }
  // A plan writes nothing but what it stages, for which memory may do.
  const planned = await station.write(large, { query: '?mode=replace&dry_run=true' });
  expect([200, 507], await planned.text()).toContain(planned.status);
  expect(await all()).toEqual(before);

  disk.free();
  const replace = { query: '?mode=replace&allow_removal=all' };
  const replaced = await station.write(numbered(700, 'vm', { sku: 'small' }), replace);
  expect(await replaced.json()).toMatchObject({ created: 0, updated: 700, removed: 300 });
  expect(await station.history()).toHaveLength(2_500);
  expect(await server.process.stop()).toEqual({ code: 0, signal: null });
  const again = new Station(await startServer(options), station.path);
  expect(await again.summary()).toMatchObject({ total: 700, states: { ALERTSTATE_FIRING: 500 } });
});
