import { expect, it } from 'vitest';
import { expectProblem, toAnswer } from '../testing/check-answer.ts';
import { startServer } from '../testing/start-server.ts';
import { type NewResource, numbered, Station } from '../testing/station.ts';

/** Resources each of which has a value of its own. */
function distinct(count: number, field: string, prefix: string): NewResource[] {
  return numbered(count).map((resource, at) => ({ ...resource, [field]: `${prefix}${at}` }));
}

it('refuses a body that would make more types than can be meant, once it is known which', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  const resources = distinct(10_001, 'resource_type', 'resource_type.wrong.');
  const refused = await toAnswer(await station.write(resources));
  const problem = expectProblem(refused, 422, 'invalid_records');
  expect(problem.faults).toEqual([
    {
      line: 10_001,
      column: 2,
      field: 'resource_type',
      reason:
        'would be one more than 10000 resource types, got "resource_type.wrong.10000"; a type groups resources: is this column mapped correctly?',
    },
  ]);
  expect(await station.total()).toBe(0);
});

it('counts the types that the catalog has already', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  const types = (count: number, prefix: string) =>
    station.write(distinct(count, 'resource_type', `resource_type.${prefix}.`));
  expect((await types(100, 'a')).status).toBe(200);
  expectProblem(await toAnswer(await types(9_901, 'b')), 422, 'invalid_records');
  expect((await types(100, 'a')).status).toBe(200);
});

it('counts the states that a station has already, unless it is replaced', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  const states = (count: number, prefix: string, query = '') =>
    station.write(distinct(count, 'state', `ALERTSTATE_${prefix}_`), { query });
  expect((await states(600, 'A')).status).toBe(200);
  const problem = expectProblem(await toAnswer(await states(401, 'B')), 422, 'invalid_records');
  expect(problem).toMatchObject({ fault_count: 1, faults: [{ line: 401, field: 'state' }] });
  expect((await states(400, 'B', '?dry_run=true')).status).toBe(200);
  expect((await states(1_000, 'C', '?mode=replace')).status).toBe(200);
  const another = await Station.create(server, 'another');
  expect((await another.write(distinct(1_000, 'state', 'ALERTSTATE_D_'))).status).toBe(200);
});

it('counts the products of a body', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  const products = (count: number, prefix: string) =>
    station.write(distinct(count, 'product', `product.${prefix}.`));
  const problem = expectProblem(await toAnswer(await products(1_002, 'a')), 422, 'invalid_records');
  expect(problem).toMatchObject({ fault_count: 2, faults: [{ line: 1_001 }, { line: 1_002 }] });
  expect((await products(1_000, 'a')).status).toBe(200);
  expect((await products(1_000, 'b')).status).toBe(200);
});
