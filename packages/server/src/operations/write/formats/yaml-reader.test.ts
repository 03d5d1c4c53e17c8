import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { anyRecord, chunkSizes } from './testing/arbitraries.ts';
import { readBody, readErrors } from './testing/read-body.ts';
import { YamlReader } from './yaml-reader.ts';

function valuesOf(body: string, sizes: readonly number[] = []): unknown[] {
  return readBody(new YamlReader(10_000), body, sizes).map((found) =>
    'value' in found ? { ...(found.value as object) } : found,
  );
}

function errorsOf(body: string | Buffer, sizes?: readonly number[]): string[] {
  return readErrors(new YamlReader(10_000), body, sizes);
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

  it('reads times, versions and the booleans of YAML 1.1 as text', () => {
    expect(
      valuesOf(
        '- create_time: 2026-01-31T08:00:00Z\n  sku: 1.2.3\n  name: yes\n  alertable: true\n  count: 7',
      ),
    ).toEqual([
      { create_time: '2026-01-31T08:00:00Z', sku: '1.2.3', name: 'yes', alertable: true, count: 7 },
    ]);
  });

  it('knows the positions of fields', () => {
    const [record] = readRecords('# x\n  - name: a\n    resource_type:\n      key: t\n    "sku": 节\n');
    expect(['name', 'resource_type', 'sku', 'state'].map((name) => record!.positionOf(name))).toEqual([
      { line: 2, column: 5 },
      { line: 3, column: 5 },
      { line: 5, column: 5 },
      undefined,
    ]);
  });

  it('resolves aliases within a record only', () => {
    expect(valuesOf('- name: &n a\n  display_name: *n')).toEqual([{ name: 'a', display_name: 'a' }]);
    expect(valuesOf('- {a: &x 1, b: &y [&x 2], c: &x 3, d: *y, e: *x}')).toEqual([
      { a: 1, b: [2], c: 3, d: [2], e: 3 },
    ]);
    expect(errorsOf('- &base\n  name: a\n- resource_type: *base\n- name: c')).toEqual([
      '3:18 the alias *base needs the anchor &base, which is not before it in this record; each record is read on its own',
    ]);
  });

  it.each([
    ['- name: a\n  name: b', '2:3 name is given twice'],
    ['- a: {key: 1, key: 2}', '1:15 key is given twice'],
    ['- name: a\n - name: b', '2:2 is not valid YAML'],
    ['- name: !secret a', '1:9 is not valid YAML: Unresolved tag: !secret'],
    ['- ? [a]\n  : b', 'is not valid YAML: With stringKeys, all keys must be strings'],
    ['- &a [*a]', '1:6 has more than 2000 values'],
    [
      `- {a: &a [x,x,x,x,x,x,x,x], b: &b [*a,*a,*a,*a,*a,*a,*a,*a], c: &c [*b,*b,*b,*b,*b,*b,*b,*b], d: [*c,*c,*c,*c,*c,*c,*c]}`,
      'has more than 2000 values',
    ],
  ])('reports what is wrong with %j, and continues', (item, error) => {
    for (const size of [1, 1000]) {
      const indent = item.startsWith(' ') ? '  ' : '';
      const body = `${item}\n${indent}- name: last\n`;
      const errors = errorsOf(body, [size]);
      expect(errors).toEqual([expect.stringContaining(error)]);
      expect(valuesOf(body, [size]).at(-1)).toEqual({ name: 'last' });
    }
  });

  it.each([
    ['', 'the body is empty'],
    ['\r\n \t\n', 'the body is empty'],
    ['name: a', 'in line 1, it has a member "name"'],
    ['resources:\n- a\nnext: 1', 'in line 3, it has a member "next"'],
    ['resources:\nresources:', 'in line 2, it has resources twice'],
    ['page: null', 'in line 1, it has no resources'],
    [
      'resources: {}',
      'in line 1, resources must be a list: begin each record on a line of its own, with a dash',
    ],
    ['page: null\nresources: [{name: a}]', 'in line 2, resources must be a list: begin each record'],
    ['page: 7\nresources:', 'page must be null or an object'],
    ['just words', 'in line 1, it is "just words"'],
    ['- a\n---\n- b', 'in line 2, a second document begins'],
    ['- a\n...\n- b', 'in line 3, a second document begins'],
    ['---\n---\n- b', 'in line 2, a second document begins'],
    ['[{"a": 1}]\n...', 'something follows its end'],
  ])('refuses %j', (body, reason) => {
    for (const size of [1, 1000]) {
      expect(() => readBody(new YamlReader(1000), body, [size])).toThrow(
        expect.objectContaining({ code: 'invalid_body', message: expect.stringContaining(reason) }),
      );
    }
  });

  it.each([
    ['- name: a\nsku: b', '2:1 is not valid YAML: Unexpected scalar at node end'],
    ['  - name: a\n- name: b', '2:1 is not valid YAML: Unexpected seq-item-ind at node end'],
    ['- name: a\n\tsku: b', '2:2 is not valid YAML'],
    ['- x: y\n- name: "a\n- name: b', '2:1 is not valid YAML: a quote is never closed'],
    ['resources:\n - name: a\n  sku: b', '3:3 is not valid YAML: a line begins left of the fields'],
    ['page: [1\nresources:', '2:1 is not valid YAML: Flow sequence in block collection'],
    ['page: null\n- a', '2:1 is not valid YAML'],
    ['\t- a', '1:1 is not valid YAML: Tabs are not allowed as indentation'],
    ['--- - a', 'is not valid YAML: Block collection cannot start on same line'],
  ])('reports the position of the syntax error in %j', (body, error) => {
    expect(errorsOf(body)).toContainEqual(expect.stringContaining(error));
  });

  it('stops at bytes that are not UTF-8, and at a record that is too long', () => {
    const notUtf8 = [Buffer.from('- name: 节'), Buffer.from([0xff]), Buffer.from('\n- 7\n')];
    const tooLong = `- name: a\n- sku: ${'x'.repeat(20_000)}\n  name: b\n- 7\n`;
    for (const size of [3, 100_000]) {
      expect(errorsOf(Buffer.concat(notUtf8), [size])).toEqual([
        '1:10 is not valid UTF-8; save the file as UTF-8',
      ]);
      expect(errorsOf(tooLong, [size])).toEqual([
        '2:1 a record may have at most 10000 bytes, with the comments after it',
      ]);
    }
  });

  it.each([
    ['brackets', '['.repeat(60_000), 'is nested too deeply'],
    ['braces', '{a: '.repeat(1000), 'is nested too deeply'],
    ['questions', '? '.repeat(30_000), 'is nested too deeply'],
    ['dashes', '- '.repeat(2000), 'is nested too deeply'],
    ['names', Array.from({ length: 8000 }, (_, at) => `k${at}: 1`).join('\n  '), '2000 tokens'],
    ['commas', `[${','.repeat(60_000)}]`, '2000 tokens'],
  ])('refuses a record with thousands of %s before it is composed', (_, text, reason) => {
    const body = `- ${text}\n- 7`;
    expect(errorsOf(body)).toEqual([expect.stringContaining(`1:1 `)]);
    expect(errorsOf(body)).toEqual([expect.stringContaining(reason)]);
  });

  it('takes thousands of comments', () => {
    expect(valuesOf(`- a:\n${'  # x\n'.repeat(1500)}- a: 1`)).toEqual([{ a: null }, { a: 1 }]);
  });

  it('pauses often while it reads', () => {
    const reader = new YamlReader(60_000);
    reader.push('- {a: 1, b: [2, 3], c: "4"}\n'.repeat(500));
    let [longest, since] = [0, 0];
    for (const result of reader.end()) {
      since = result === undefined ? 0 : since + 1;
      longest = Math.max(longest, since);
    }
    reader.close();
    expect(longest).toBeLessThan(20);
  });

  it('limits the text that one sender has read at once, and gives it back', () => {
    const open: YamlReader[] = [];
    const refusal = () => {
      for (;;) {
        const reader = new YamlReader(60_000, 'sender');
        open.push(reader);
        reader.push('x'.repeat(2 ** 22));
      }
    };
    expect(refusal).toThrow(expect.objectContaining({ code: 'overloaded', retryAfterSeconds: 5 }));
    expect(open).toHaveLength(9);
    expect(() => new YamlReader(60_000, 'other').push('x')).not.toThrow();
    for (const reader of open) reader.close();
    expect(() => new YamlReader(60_000, 'sender').push('x')).not.toThrow();
  });
});

function readRecords(body: string) {
  const reader = new YamlReader(1000);
  return [...reader.push(body), ...reader.end()].filter(
    (result) => result !== undefined && 'value' in result,
  );
}
