import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startServer } from './testing/start-server.ts';
import { type Format, numbered, Station } from './testing/station.ts';

const maxWaitMs = 1_500;

const names = Array.from({ length: 6_000 }, (_, number) => number.toString(36));
const members = (separator: string) => names.map((name) => `"${name}":1`).join(separator);
const deep = '['.repeat(30_000) + ']'.repeat(30_000);
const aliases = '{a: &a [1,1,1,1,1,1], b: &b [*a,*a,*a,*a,*a], c: &c [*b,*b,*b,*b,*b], d: [*c,*c,*c,*c,*c]}';
const csvHeader = 'resource_id,name,resource_type\n';

/** Bodies that take long to refuse where each of their parts is looked at as closely as the only one. */
const hostile: readonly (readonly [what: string, format: Format, body: string])[] = [
  ['thousands of fields', 'ndjson', `{${members(',')}}\n`.repeat(30)],
  [
    'thousands of fields, each on its line',
    'json',
    `[${Array(30)
      .fill(`{${members(',\n')}}`)
      .join()}]`,
  ],
  ['thousands of fields', 'yaml', `- {${members(', ')}}\n`.repeat(30)],
  ['thousands of fields in a field', 'ndjson', `{"resource_type":{${members(',')}}}\n`.repeat(30)],
  ['deep nesting', 'ndjson', `{"resource_id":${deep}}\n`.repeat(10)],
  ['deep nesting', 'json', `[{"resource_id":${deep}}]`],
  ['deep nesting', 'yaml', `- {resource_id: ${deep}}\n`.repeat(10)],
  ['deep nesting in the page', 'json', `{"page":${deep},"resources":[]}`],
  ['aliases of aliases', 'yaml', `- ${aliases}\n`.repeat(100)],
  ['thousands of names in the header', 'csv', `${names.join()}\n`],
  ['nothing but commas in the header', 'csv', `${','.repeat(60_000)}\n`],
  ['rows of thousands of cells', 'csv', csvHeader + `${','.repeat(60_000)}x\n`.repeat(30)],
  ['quotes that are never closed', 'csv', csvHeader + `"${'a\n'.repeat(30_000)}`.repeat(10)],
  ['thousands of quotes', 'csv', csvHeader + `"${'""'.repeat(30_000)}",b,c\n`.repeat(30)],
  ['nothing but commas', 'json', `[${','.repeat(50_000)}]`],
  [
    'long names and times',
    'ndjson',
    `{"${'resource_typ'.repeat(4_000)}":1,"create_time":"${'0'.repeat(9_000)}"}\n`.repeat(30),
  ],
];

it('answers others while it reads bodies that are made to keep it busy', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(100));
  const before = await station.list();
  let isBusy = true;
  let longestMs = 0;
  const asking = async () => {
    while (isBusy) {
      const start = performance.now();
      await station.total();
      longestMs = Math.max(longestMs, performance.now() - start);
      await delay(5);
    }
  };
  const others = asking();
  for (const [what, format, body] of hostile) {
    longestMs = 0;
    const response = await station.post(body, format);
    expect([400, 422], await response.text()).toContain(response.status);
    expect(longestMs, `${what} in ${format}`).toBeLessThan(maxWaitMs);
  }
  isBusy = false;
  await others;
  expect(await station.list()).toEqual(before);
  expect(server.process.stderr).toBe('');
});
