import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatQuery } from '../dataset/format-query.ts';
import { generateResources } from '../dataset/generate-resources.ts';
import { type DocumentedCaseName, documentedCaseNames, queriesOfCase } from '../dataset/list-cases.ts';
import { sortForListing } from '../dataset/naive-list.ts';
import { verifyAnswers, WrongAnswer, withAnswers } from '../measure/verify-answers.ts';
import { type Contender, listPath } from '../servers/contender.ts';
import { buildBaseline } from './build-baseline.ts';
import { openDatabase } from './open-database.ts';

const resources = [...generateResources(10_000)];
const sorted = sortForListing(resources);
const app = buildBaseline(openDatabase(':memory:', resources));
let baseline: Contender;

beforeAll(async () => {
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  baseline = {
    name: 'baseline',
    size: resources.length,
    origin,
    healthPath: '/healthz',
    processId: process.pid,
  };
});

afterAll(() => app.close());

test.each(documentedCaseNames)('the baseline answers %s correctly', async (name: DocumentedCaseName) => {
  await verifyAnswers(baseline, withAnswers(queriesOfCase(name, resources).slice(0, 200), sorted));
});

test('a wrong order is found', async () => {
  const swapped = [sorted[1]!, sorted[0]!, ...sorted.slice(2)];
  await expect(verifyAnswers(baseline, withAnswers(queriesOfCase('C1', resources), swapped))).rejects.toThrow(
    WrongAnswer,
  );
});

test('a wrong total is found', async () => {
  const short = sorted.slice(0, -1);
  await expect(verifyAnswers(baseline, withAnswers(queriesOfCase('C1', resources), short))).rejects.toThrow(
    /total is 10000/,
  );
});

test('rows carry the documented fields', async () => {
  const query = queriesOfCase('C1', resources)[0]!;
  const response = await fetch(`${baseline.origin}${listPath(formatQuery(query))}`);
  const body = (await response.json()) as { resources: object[] };
  expect(Object.keys(body.resources[0]!)).toEqual([
    ...['resource_type', 'resource_id', 'create_time', 'sku', 'state', 'display_name'],
    ...['alert_rules_count', 'name', 'gpu_model'],
  ]);
});
