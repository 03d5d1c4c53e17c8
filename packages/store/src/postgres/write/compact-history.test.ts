import { expect, it } from 'vitest';
import { aBatch, put, station } from '../../testing/station-data.ts';
import { useServer } from '../testing/use-server.ts';

const fixture = useServer();

it('forgets which resources were alerting, and no others', async () => {
  const url = await fixture.server.createDatabase();
  const store = await fixture.open({ url });
  await store.createStation(station);
  const write = (state: string, count: number) =>
    put(
      store,
      aBatch(count).map((staged) => ({ ...staged, record: { ...staged.record, state } })),
    );
  const named = async () => {
    const rows = await fixture.server.query('SELECT resource_id FROM alerting ORDER BY resource_id', url);
    return rows.map((row) => row.resource_id);
  };
  const alerting = async () => {
    const [part] = await store.readParts([station], 'alerting');
    return [...part!.resources].map(({ resourceId }) => resourceId).sort();
  };
  await write('ALERTSTATE_FIRING', 3);
  await write('ALERTSTATE_INACTIVE', 2);
  expect(await named()).toEqual(['vm-0', 'vm-1', 'vm-2']);
  expect(await alerting()).toEqual(['vm-2']);
  await store.compactHistory(0);
  expect(await named()).toEqual(['vm-2']);
  await write('ALERTSTATE_PENDING', 1);
  expect(await alerting()).toEqual(['vm-0', 'vm-2']);
  await store.deleteStation(station);
  expect(await named()).toEqual([]);
});
