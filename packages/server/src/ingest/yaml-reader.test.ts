import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { anyRecord, chunkSizes } from './testing/arbitraries.ts';
import { readBody, readFaults } from './testing/read-body.ts';
import { YamlReader } from './yaml-reader.ts';

function valuesOf(body: string, sizes: readonly number[] = []): unknown[] {
  return readBody(new YamlReader(10_000), body, sizes).map((found) =>
    'value' in found ? { ...(found.value as object) } : found,
  );
}

function faultsOf(body: string | Buffer, sizes?: readonly number[]): string[] {
  return readFaults(new YamlReader(10_000), body, sizes);
}

const records = fc.array(
  anyRecord.map((record) => JSON.parse(JSON.stringify(record)) as object),
  { maxLength: 4 },
);

describe('YamlReader', () => {
  it('finds the same records however the body is written and cut into chunks', () => {
    const style = fc.record({ indent: fc.constantFrom(2, 4), indentSeq: fc.boolean() });
    fc.assert(
      fc.property(records, style, chunkSizes, fc.boolean(), (given, options, sizes, isListing) => {
        const body = isListing ? { page: null, resources: given } : given;
        const text = stringify(body, options);
        const whole = parse(text);
        expect(valuesOf(text, sizes)).toEqual(isListing ? whole.resources : whole);
        expect(valuesOf(JSON.stringify(body), sizes)).toEqual(given);
      }),
    );
  });

  it('finds the same in any text however it is cut into chunks', () => {
    const unit = fc.constantFrom(
      '- ',
      '\n',
      '  ',
      'a: ',
      'b',
      '# ',
      '---',
      '...',
      '\t',
      '"',
      'resources:',
      'page:',
      '[',
      '|',
    );
    const outcome = (body: string, sizes: readonly number[]) => {
      try {
        return readBody(new YamlReader(40), body, sizes);
      } catch (error) {
        return (error as Error).message;
      }
    };
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), chunkSizes, (body, sizes) => {
        expect(outcome(body, sizes)).toEqual(outcome(body, [1000]));
      }),
      { numRuns: 500, examples: [['\nresources:- - - resources:- - resources:---', [1]]] },
    );
  });

  it('takes comments, blank lines, directives and the marks of a document', () => {
    const body = [
      '%YAML 1.2',
      '# about',
      '--- # begin',
      '',
      '- name: a # one',
      '# between',
      '',
      '  sku: |',
      '    - x',
      '    # y',
      '-',
      '  name: b\r',
      '',
      '... # end',
      '# behind',
      '',
    ].join('\n');
    for (const size of [1, 1000]) {
      expect(readBody(new YamlReader(1000), body, [size])).toMatchObject([
        { line: 5, column: 1, value: { name: 'a', sku: '- x\n# y\n' } },
        { line: 11, column: 1, value: { name: 'b' } },
      ]);
    }
  });

  it('takes a listing, with its list indented or not', () => {
    const page = 'page:\n  offset: 5\n  size: 1\n  total: 9\n';
    for (const resources of ['resources:\n- name: a\n', '"resources": # all\n    - name: a\n']) {
      for (const body of [page + resources, resources + page, `---\n${page}\n${resources}`]) {
        const reader = new YamlReader(1000);
        expect(readBody(reader, body, [3])).toMatchObject([{ value: { name: 'a' } }]);
        expect(reader.page).toEqual({ offset: 5, total: 9 });
      }
    }
    const flow = new YamlReader(1000);
    readBody(flow, 'page: {offset: 0, size: 5, total: 0}\nresources: []');
    expect(flow.page).toEqual({ offset: 0, total: 0 });
  });

  it.each([
    ['# nothing\n'],
    ['---\n...\n'],
    ['resources:'],
    ['resources: []\npage: null'],
    ['resources: ~ # none'],
    ['[]'],
    ['# x\n---\n[ ]'],
    ['{"resources": [], "page": null}'],
  ])('finds no records in %j', (body) => {
    for (const size of [1, 1000]) expect(valuesOf(body, [size])).toEqual([]);
  });

  it('reads JSON with its lines and columns', () => {
    for (const size of [1, 2, 1000]) {
      expect(readBody(new YamlReader(1000), '# x\n---\n  [{"name":\n "a"}, 7]', [size])).toEqual([
        { line: 3, column: 4, value: { name: 'a' } },
        { line: 4, column: 8, value: 7 },
      ]);
    }
  });

  it('leaves times, versions and words of other standards as text', () => {
    expect(
      valuesOf(
        '- create_time: 2026-01-31T08:00:00Z\n  sku: 1.2.3\n  name: yes\n  alertable: true\n  count: 7',
      ),
    ).toEqual([
      { create_time: '2026-01-31T08:00:00Z', sku: '1.2.3', name: 'yes', alertable: true, count: 7 },
    ]);
  });

  it('knows where the fields of a record are', () => {
    const [record] = readRecords('# x\n  - name: a\n    resource_type:\n      key: t\n    "sku": 节\n');
    expect(['name', 'resource_type', 'sku', 'state'].map((name) => record!.placeOf(name))).toEqual([
      { line: 2, column: 5 },
      { line: 3, column: 5 },
      { line: 5, column: 5 },
      undefined,
    ]);
  });

  it('takes aliases inside a record and none of another', () => {
    expect(valuesOf('- name: &n a\n  display_name: *n')).toEqual([{ name: 'a', display_name: 'a' }]);
    expect(faultsOf('- &base\n  name: a\n- resource_type: *base\n- name: c')).toEqual([
      '3:18 the alias *base needs the anchor &base, which this record does not have; each record is read on its own',
    ]);
  });

  it.each([
    ['- name: a\n  name: b', '2:3 name is given twice'],
    ['- a: {key: 1, key: 2}', '1:15 key is given twice'],
    ['- name: a\n - name: b', '2:2 is not valid YAML'],
    ['- name: a\nsku: b', '2:1 belongs to no record: those begin with a dash behind 0 spaces, got "sku: b"'],
    ['  - name: a\n- name: b', '2:1 belongs to no record: those begin with a dash behind 2 spaces'],
    ['- name: "a', '1:11 is not valid YAML: Missing closing "quote'],
    ['- name: a\n\tsku: b', '2:2 is not valid YAML'],
    ['- name: !secret a', '1:9 is not valid YAML: Unresolved tag: !secret'],
    ['- ? [a]\n  : b', 'is not valid YAML: With stringKeys, all keys must be strings'],
    ['- &a [*a]', '1:1 has too many parts'],
    [
      `- {a: &a [x,x,x,x,x,x,x,x], b: &b [*a,*a,*a,*a,*a,*a,*a,*a], c: &c [*b,*b,*b,*b,*b,*b,*b,*b], d: [*c,*c,*c,*c,*c,*c,*c]}`,
      '1:1 has too many parts',
    ],
  ])('tells what is wrong with %j, and reads on', (item, fault) => {
    for (const size of [1, 1000]) {
      const indent = item.startsWith(' ') ? '  ' : '';
      const body = `${item}\n${indent}- name: last\n`;
      const faults = faultsOf(body, [size]);
      expect(faults).toEqual([expect.stringContaining(fault)]);
      expect(valuesOf(body, [size]).at(-1)).toEqual({ name: 'last' });
    }
  });

  it.each([
    ['', 'the body is empty'],
    ['\r\n \t\n', 'the body is empty'],
    ['name: a', 'it has a member "name" in line 1'],
    ['resources:\n- a\nnext: 1', 'it has a member "next" in line 3'],
    ['resources:\nresources:', 'it has resources twice in line 2'],
    ['page: null', 'it has no resources'],
    ['resources: {}', 'resources must be a list with a line and a dash for each item, got "{}" in line 1'],
    ['resources: [{name: a}]', 'resources must be a list with a line and a dash'],
    ['page: [1\nresources:', 'page is not valid YAML'],
    ['page: 7\nresources:', 'page must be null or an object'],
    ['just words', 'it has "just words" in line 1'],
    ['page: null\n- a', 'it has "- a" in line 2'],
    ['\t- a', 'it has "- a" in line 1'],
    ['--- - a', 'nothing may stand behind --- on the same line in line 1'],
    ['- a\n---\n- b', 'a second document begins in line 2'],
    ['- a\n...\n- b', 'a second document begins in line 3'],
    ['---\n---\n- b', 'a second document begins in line 2'],
    ['[{"a": 1}]\n...', 'something follows behind its end'],
  ])('refuses %j', (body, reason) => {
    for (const size of [1, 1000]) {
      expect(() => readBody(new YamlReader(1000), body, [size])).toThrow(
        expect.objectContaining({ code: 'invalid_body', message: expect.stringContaining(reason) }),
      );
    }
  });

  it('tells where bytes are no UTF-8, and which record is too long', () => {
    const body = Buffer.concat([
      Buffer.from('- name: 节'),
      Buffer.from([0xff]),
      Buffer.from(`\n- sku: ${'x'.repeat(20_000)}\n  name: b\n- name: c\n`),
    ]);
    for (const size of [3, 100_000]) {
      expect(faultsOf(body, [size])).toEqual([
        '1:10 is not valid UTF-8; save the file as UTF-8',
        '2:1 a record may have at most 10000 bytes',
      ]);
    }
  });

  it.each([
    ['brackets', '['.repeat(60_000)],
    ['few brackets', '['.repeat(4000)],
    ['braces', '{a: '.repeat(1000)],
    ['questions', '? '.repeat(30_000)],
    ['few questions', '? '.repeat(2000)],
    ['dashes', '- '.repeat(2000)],
    ['names', Array.from({ length: 8000 }, (_, at) => `k${at}: 1`).join('\n  ')],
    ['commas', `[${','.repeat(60_000)}]`],
    ['blanks', `a: ${' '.repeat(60_000)}b`],
    ['comments', `a: b${' #'.repeat(30_000)}`],
    ['blanks and comments', `a:\n${'  # x\n'.repeat(10_000)}`],
  ])('does not take long over many %s', (_, text) => {
    const started = performance.now();
    readFaults(new YamlReader(65_536), `- ${text}`);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

function readRecords(body: string) {
  const reader = new YamlReader(1000);
  return [...reader.push(body), ...reader.end()].filter((result) => 'value' in result);
}
