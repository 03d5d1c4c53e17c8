import { parseRecord } from '@roster/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvReader } from './csv-reader.ts';
import { NdjsonReader } from './ndjson-reader.ts';
import { anyRecord, chunkSizes } from './testing/arbitraries.ts';
import { readBody, readErrors, readValues } from './testing/read-body.ts';
import { csvStyle, renderCsv } from './testing/render-csv.ts';

const header = 'resource_id,name,resource_type';

function valuesOf(body: string, sizes?: readonly number[]): unknown[] {
  return readValues(new CsvReader(60_000), body, sizes);
}

function errorsOf(body: string | Buffer, sizes?: readonly number[]): string[] {
  return readErrors(new CsvReader(1000), body, sizes);
}

/** What each value is stored as, or which of its fields are invalid. */
function parsed(values: readonly unknown[]): unknown[] {
  return values.map((value) => {
    const result = parseRecord(value, 1);
    return 'record' in result ? result.record : new Set(result.errors.map(({ field }) => field));
  });
}

/** CSV cannot tell a record of empty texts from a blank line. */
const filledRecord = anyRecord.filter((record) =>
  Object.values(record).some((value) =>
    typeof value === 'string' ? value.trim() !== '' : value !== undefined,
  ),
);

describe('CsvReader', () => {
  it('finds in CSV of any style what NDJSON has', () => {
    fc.assert(
      fc.property(
        fc.array(filledRecord, { minLength: 1, maxLength: 5 }),
        csvStyle,
        chunkSizes,
        (records, style, sizes) => {
          const ndjson = records.map((record) => JSON.stringify(record)).join('\n');
          const csv = renderCsv(records, style);
          expect(parsed(valuesOf(csv, sizes))).toEqual(parsed(readValues(new NdjsonReader(60_000), ndjson)));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('reads labels from one column, or from one for each key', () => {
    const parseOne = (names: string, cells: string) =>
      parsed(valuesOf(`${header},${names}\n1,2,resource_type.a.b,${cells}\n`))[0];
    expect(parseOne('labels', 'rack=r1; owner = search')).toMatchObject({
      labels: '{"owner":"search","rack":"r1"}',
    });
    expect(parseOne('labels', '')).toMatchObject({ labels: '{}' });
    expect(parseOne('labels.rack,labels.example.com/owner', 'r1,search')).toMatchObject({
      labels: '{"example.com/owner":"search","rack":"r1"}',
    });
    expect(parseOne('labels.rack,labels.owner', 'r1,')).toMatchObject({ labels: '{"rack":"r1"}' });
    expect(parseOne('labels', 'rack')).toEqual(new Set(['labels']));
    expect(errorsOf(`${header},labels,labels.rack`)).toEqual([
      '1:1 has labels in one column and in columns of their own; keep one of the two',
    ]);
    expect(errorsOf(`${header},labels.a b`)).toEqual([
      expect.stringMatching(/^1:32 labels\.a b names a label whose key must be/),
    ]);
  });

  it('finds the same in any text however it is cut into chunks', () => {
    const unit = fc.constantFrom('"', ',', '\n', '\r', 'a', '节', ' ', '""');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 80 }), chunkSizes, (text, sizes) => {
        const body = `${header}\n${text}`;
        expect(readBody(new CsvReader(60), body, sizes)).toEqual(readBody(new CsvReader(60), body));
      }),
      { numRuns: 300 },
    );
  });

  it('takes a byte order mark, blank lines, CRLF, TRUE and columns in any order', () => {
    const body = `\ufeff\r\nname,alertable,resource_type_label,resource_id,resource_type\r\n\r\n  \r\na,TRUE,GPU node,1,t\r\n\r\nb,False,,2,t`;
    expect(readBody(new CsvReader(1000), body)).toEqual([
      {
        line: 5,
        column: 1,
        value: {
          name: 'a',
          alertable: true,
          resource_id: '1',
          resource_type: { key: 't', label: 'GPU node' },
        },
      },
      { line: 7, column: 1, value: { name: 'b', alertable: false, resource_id: '2', resource_type: 't' } },
    ]);
  });

  it('takes an empty cell for an empty text where that is allowed, else for an absent field', () => {
    const columns =
      'product,sku,gpu_model,display_name,state,create_time,alert_rules_count,alertable,station';
    expect(valuesOf(`${header},${columns}\n,,,,,,,,,,x,`)).toEqual([
      { resource_id: '', name: '', resource_type: '', product: '', sku: '', gpu_model: '', alertable: 'x' },
    ]);
  });

  it('restores cells that were neutralised against formula injection', () => {
    expect(valuesOf(`${header}\n'=1+1,''-x,"'＝a"\n=1,'a,''`)).toEqual([
      { resource_id: '=1+1', name: "'-x", resource_type: '＝a' },
      { resource_id: '=1', name: "'a", resource_type: "''" },
    ]);
  });

  it('needs a header but no rows', () => {
    expect(valuesOf(header)).toEqual([]);
    for (const [body, message] of [
      ['', 'the body is empty'],
      ['\n \n', 'the body is empty'],
      [',,\n,,', 'the body must be CSV with a header; it has none'],
    ] as const) {
      expect(() => valuesOf(body)).toThrow(expect.objectContaining({ code: 'invalid_body', message }));
    }
  });

  it('reports every error in a header, and reads nothing below it', () => {
    expect(errorsOf('resource_id,Name,sku,"sku",,foo_bar_baz\nx')).toEqual([
      '1:1 resource_type is required, but is not in the header',
      '1:13 Name is not a known field; did you mean "name"?',
      '1:22 sku is in the header twice, first in column 18',
      '1:28 this column has no name: name it or delete it',
      expect.stringContaining('1:29 foo_bar_baz is not a known field; known fields are'),
    ]);
  });

  it('takes the empty columns and rows of spreadsheets', () => {
    const value = { resource_id: 'a', name: 'b', resource_type: 'c' };
    for (const body of [
      `,,,,\n${header},,\na,b,c,,\n`,
      `${header},"", \na,b,c\n`,
      `${header}\n,,\na,b,c\n"",,\n`,
    ]) {
      expect(valuesOf(body)).toEqual([value]);
    }
    // An unquoted comma may have shifted the cells of such a row.
    expect(errorsOf(`${header}\na,b,c,\n`)).toEqual([
      expect.stringContaining('has 4 cells; the header has 3'),
    ]);
  });

  it.each([
    ['Alert Rules', 'alert_rules_count'],
    ['Created', 'create_time'],
    ['created_at', 'create_time'],
    ['Display', 'display_name'],
    ['Gpu', 'gpu_model'],
    ['HOSTNAME', 'name'],
    ['ID', 'resource_id'],
    ['Labels', 'labels'],
    ['Rules', 'alert_rules_count'],
    ['stat', 'state'],
    ['Status', 'state'],
    ['Type', 'resource_type'],
  ])('takes the header %s for %s', (name, meant) => {
    const others = header.split(',').filter((each) => each !== meant);
    expect(errorsOf([...others, name].join())).toEqual([
      expect.stringMatching(`${name} is not a known field; did you mean "${meant}"\\?$`),
    ]);
  });

  it.each([
    ['resource_id;name;resource_type\n1;2;3', '1:1 uses ";" between cells: separate them with commas'],
    ['resource_id|name|resource_type', '1:1 uses "|" between cells: separate them with commas'],
    ['resource_id\tname\tresource_type', '1:1 uses tabs between cells: separate them with commas'],
    ['\n"resource_id', '2:1 the quote that begins this cell is never closed'],
    [`${header}\r1,2,3\r`, '1:31 the lines must end with LF or CRLF, not with CR alone'],
    [`\n"resource_id",name\r${'1,2,3\r'.repeat(500)}`, '2:19 the lines must end with LF or CRLF'],
    [`${header}\na,b,c,d\n1,2,3,`, '2:7 has 4 cells; the header has 3'],
    [`${header},,\na,b,c,,,d`, '2:9 has 6 cells; the header has 5'],
    [`${header},,\na,b,c,d`, '2:7 this cell has "d", but its column has no name'],
    [`${header},,\na,b`, '2:1 has 2 cells; the header has 3'],
    [`${header}\na,b`, '2:1 has 2 cells; the header has 3'],
    [
      `${header}\na,b"c,d`,
      '2:4 a quote is allowed in a quoted cell only; quote the cell and double the quote',
    ],
    [
      `${header}\na, "b",d`,
      '2:4 a quote is allowed in a quoted cell only; quote the cell and double the quote',
    ],
    [`${header}\n"a"b,c,d`, '2:4 only a comma may follow the quote that ends a cell'],
    [`${header}\na,"b\nc" ,d`, '3:3 only a comma may follow the quote that ends a cell'],
    [`${header}\na,b,c\na,"b\nc,d\n`, '3:3 the quote that begins this cell is never closed'],
    [`${header}\na,"b`, '2:3 the quote that begins this cell is never closed'],
  ])('refuses %j', (body, error) => {
    for (const size of [1, 1000])
      expect(errorsOf(body, [size])).toContainEqual(expect.stringContaining(error));
  });

  it('continues behind each invalid row', () => {
    const body = Buffer.concat([
      Buffer.from(`${header}\na"b,c,d\n1,2,3\n"a"b,c,d\n1,2,3\na\n1,2,3\n节,`),
      Buffer.from([0xff]),
      Buffer.from(`,b\n1,2,3\n${'x'.repeat(2000)}\n1,2,3\n"${'x\n'.repeat(600)}\n1,2,3`),
    ]);
    for (const size of [1, 10_000]) {
      const found = readBody(new CsvReader(1000), body, [size]);
      expect(found.filter((each) => 'value' in each).map(({ line }) => line)).toEqual([3, 5, 7, 9, 11, 613]);
      expect(errorsOf(body, [size]).filter((error) => !error.includes('has 1 cells'))).toEqual([
        '2:2 a quote is allowed in a quoted cell only; quote the cell and double the quote',
        '4:4 only a comma may follow the quote that ends a cell',
        '8:3 is not valid UTF-8; save the file as UTF-8',
        '10:1 a record may have at most 1000 bytes',
        '12:1 the quote that begins this cell is not closed within 1000 bytes, the limit for a record',
      ]);
    }
  });

  it('knows the positions of cells', () => {
    const positionsOf = (row: string) =>
      [...new CsvReader(1000).push(`${header}\n${row}\n`)].map((record) =>
        'value' in record
          ? ['resource_id', 'name', 'resource_type', 'sku'].map((name) => record.positionOf(name))
          : record,
      );
    expect(positionsOf('节,ab,c')).toEqual([
      [{ line: 2, column: 1 }, { line: 2, column: 3 }, { line: 2, column: 6 }, undefined],
    ]);
    expect(positionsOf('"a\n","b""\nc",d')).toEqual([
      [{ line: 2, column: 1 }, { line: 3, column: 3 }, { line: 4, column: 4 }, undefined],
    ]);
  });
});
