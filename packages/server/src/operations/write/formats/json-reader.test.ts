import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonReader } from './json-reader.ts';
import { chunkSizes } from './testing/arbitraries.ts';
import { readBody, readErrors } from './testing/read-body.ts';

const values = fc.array(fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme' }), { maxLength: 8 });
const indents = fc.constantFrom(undefined, 2, '\t');

function valuesOf(body: string, sizes: readonly number[] = []): unknown[] {
  return readBody(new JsonReader(10_000), body, sizes).map((found) =>
    'value' in found ? found.value : found,
  );
}

describe('JsonReader', () => {
  it('finds the same records however the body is cut into chunks and laid out', () => {
    fc.assert(
      fc.property(values, chunkSizes, indents, (records, sizes, indent) => {
        const body = JSON.stringify(records, null, indent);
        expect(valuesOf(body, sizes)).toEqual(JSON.parse(body));
        expect(readBody(new JsonReader(10_000), body, sizes)).toEqual(readBody(new JsonReader(10_000), body));
      }),
    );
  });

  it('finds the same in any text however it is cut into chunks', () => {
    const unit = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '"',
      '\\',
      '\n',
      ' ',
      '1',
      '"resources":',
      '"page":',
      '节',
    );
    const outcome = (body: string, sizes: readonly number[]) => {
      try {
        return readBody(new JsonReader(20), body, sizes);
      } catch (error) {
        return (error as Error).message;
      }
    };
    fc.assert(
      fc.property(
        fc.constantFrom('', '[', '{'),
        fc.string({ unit, maxLength: 40 }),
        chunkSizes,
        (start, text, sizes) => {
          expect(outcome(start + text, sizes)).toEqual(outcome(start + text, [1000]));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('reads a listing with its members in either order', () => {
    const page = fc.option(fc.record({ offset: fc.nat(), size: fc.nat(), total: fc.nat() }));
    fc.assert(
      fc.property(
        values,
        page,
        chunkSizes,
        fc.boolean(),
        indents,
        (resources, given, sizes, isFirst, indent) => {
          const body = isFirst ? { page: given, resources } : { resources, page: given };
          const reader = new JsonReader(10_000);
          const found = readBody(reader, JSON.stringify(body, null, indent), sizes);
          expect(found.map((each) => 'value' in each && each.value)).toEqual(
            JSON.parse(JSON.stringify(resources)),
          );
          expect(reader.page).toEqual(
            given === null ? undefined : { offset: given.offset, total: given.total },
          );
        },
      ),
    );
  });

  it('knows the line and column of every record', () => {
    const body = '\n[ {"a": "节"}, 7,\n\n  {\n "b": "\\n"},\r\n\t8]';
    for (const size of [1, 3, 100]) {
      const found = readBody(new JsonReader(1000), body, [size]);
      expect(found.map(({ line, column }) => [line, column])).toEqual([
        [2, 3],
        [2, 15],
        [4, 3],
        [6, 2],
      ]);
    }
  });

  it('knows the positions of fields', () => {
    const records = [...new JsonReader(1000).push('[{"a": 1,\n  "b": 2},\n {"a": 1}]')];
    expect(
      records.map((record) => 'value' in record && [record.positionOf('a'), record.positionOf('b')]),
    ).toEqual([
      [
        { line: 1, column: 3 },
        { line: 2, column: 3 },
      ],
      [{ line: 3, column: 3 }, undefined],
    ]);
  });

  it('continues behind a syntax error', () => {
    const body = '[{"a": x},\n {"b": 1}},\n,\n[1, {}],\n"\u0001", 7,]';
    for (const size of [1, 3, 100]) {
      const found = readBody(new JsonReader(1000), body, [size]);
      expect(found.map((each) => ('value' in each ? each.value : [each.line, each.column]))).toEqual([
        [1, 8],
        [2, 10],
        [3, 1],
        [1, {}],
        [5, 2],
        7,
        [5, 8],
      ]);
    }
  });

  it('skips a record that is too long, also when it is the only one', () => {
    const long = `"${'x'.repeat(500)}"`;
    for (const size of [1, 64, 1000]) {
      expect(readErrors(new JsonReader(100), `[${long}]`, [size])).toEqual([
        '1:2 a record may have at most 100 bytes',
      ]);
      expect(
        readBody(new JsonReader(100), `[1,${long},3]`, [size]).map((each) => 'value' in each && each.value),
      ).toEqual([1, false, 3]);
    }
    expect(valuesOf(` [${' '.repeat(20_000)}] `, [1])).toEqual([]);
  });

  it.each([
    ['', 'the body is empty'],
    ['  \r\n', 'the body is empty'],
    ['[', 'it ends too early'],
    ['[{"a": 1}, {"b"', 'it ends inside the record at line 1, column 12'],
    ['[1', 'it ends inside the record at line 1, column 2'],
    ['[}', 'it ends inside the record at line 1, column 2'],
    ['x', 'something else is in its place, got "x" at line 1, column 1'],
    ['[]\n x', 'something follows its end, got "x" at line 2, column 2'],
    ['{}', 'it has no resources'],
    ['{"page": null}', 'it has no resources'],
    ['{"resources": []} {}', 'something follows its end, got "{"'],
    ['{"resources": {}}', 'resources must be an array, got "{" at line 1, column 15'],
    ['{"resources": null}', 'resources must be an array, got "n"'],
    ['{"resources": [], "resources": []}', 'it has resources twice, again at line 1, column 19'],
    ['{"resources": [], "next": 1}', 'it has a member "next" at line 1, column 19'],
    ['{"resource_id": "a"}', 'it has a member "resource_id" at line 1, column 2'],
    ['{"resources": [],}', 'it is not valid JSON at line 1, column 18'],
    ['{resources: []}', 'it is not valid JSON at line 1, column 2'],
    ['{"resources"}', 'a member has no name at line 1, column 2'],
    ['{"resources": [] "page": null}', 'something else is in its place, got "\\""'],
    ['{"resources": [], "page": nul}', 'it is not valid JSON at line 1, column 27'],
    ['{"resources": [], "page": null', 'it ends too early'],
    ['{"resources": [], "page": 7}', 'page must be null or an object with offset, size and total'],
    ['{"resources": [], "page": {"offset": 0, "total": 1}}', 'page must be null or an object'],
    ['{"resources": [], "page": {"offset": 0, "size": 1, "total": -1}}', 'page must be null or an object'],
  ])('refuses %j', (body, reason) => {
    for (const size of [1, 1000]) {
      expect(() => readBody(new JsonReader(1000), body, [size])).toThrow(
        expect.objectContaining({ code: 'invalid_body', message: expect.stringContaining(reason) }),
      );
    }
  });
});
