import type { Call, Flags } from '../command.ts';
import { UsageError } from '../errors.ts';
import type { Style } from './paint.ts';
import type { RowWriter } from './row-writer.ts';
import { renderTable } from './table.ts';

type Scalar = string | number | boolean;

/** One column of what a command shows. */
export interface Column<Row> {
  /** As `--columns` and `--sort` say it. */
  readonly name: string;
  readonly header: string;
  readonly value: (row: Row) => Scalar;
  /** What a table shows, where it is not the value itself. */
  readonly show?: (row: Row) => string;
  readonly style?: (row: Row) => Style | undefined;
  /** Only with `-o wide`. */
  readonly isWide?: boolean;
}

export interface View<Row> {
  readonly columns: readonly Column<Row>[];
  /** What `-o name` prints. */
  readonly nameOf: (row: Row) => string;
  /** Told instead of an empty table. */
  readonly nothing: string;
}

type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

const rowFormats = ['table', 'wide', 'json', 'ndjson', 'csv', 'yaml', 'name'] as const;

export function rowFlags(columnNames: readonly string[]): Flags {
  return {
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: rowFormats,
      about: `${rowFormats.join(', ')}; table unless given`,
    },
    columns: {
      type: 'string',
      value: 'A,B,…',
      about: `which columns, in which order: ${columnNames.join(', ')}`,
    },
    sort: {
      type: 'string',
      value: 'COLUMN[:desc]',
      about: 'sorts by a column; done here, after everything has been read',
    },
  };
}

/** Prints rows in the format that was asked for, while they come where the format allows it. */
export async function printRows<Row>(rows: Rows<Row>, view: View<Row>, call: Call): Promise<void> {
  const format = call.given.text('output') ?? 'table';
  const columns = chooseColumns(view.columns, call.given.list('columns'), format);
  if (format === 'table' || format === 'wide') {
    return printTable(await collect(rows), columns, { view, call, format });
  }
  const { createRowWriter } = await import('./row-writer.ts');
  const hasColumns = call.given.isSet('columns');
  const writer = createRowWriter(format, {
    columns,
    nameOf: view.nameOf,
    dataOf: (row) =>
      hasColumns ? Object.fromEntries(columns.map(({ name, value }) => [name, value(row)])) : row,
    safe: (text) => call.terminal.safe(text),
  });
  await printLines(rows, writer, call);
}

const flushLength = 1 << 16;

/** Writes many small lines in few large parts. */
async function printLines<Row>(rows: Rows<Row>, writer: RowWriter<Row>, { terminal }: Call): Promise<void> {
  const { head = '', line, foot = '', empty = '' } = writer;
  let text = head;
  let count = 0;
  for await (const row of rows) {
    text += line(row, count++);
    if (text.length < flushLength) continue;
    await terminal.print(text);
    text = '';
  }
  await terminal.print(text + (count === 0 ? empty : '') + foot);
}

interface TableContext<Row> {
  readonly view: View<Row>;
  readonly call: Call;
  readonly format: string;
}

async function printTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { view, call: { terminal }, format }: TableContext<Row>,
): Promise<void> {
  if (rows.length === 0) return terminal.tell(view.nothing);
  const cells = rows.map((row) =>
    columns.map(({ value, show, style }) => ({
      text: show ? show(row) : String(value(row)),
      style: style?.(row),
    })),
  );
  const table = renderTable(cells, {
    headers: columns.map(({ header }) => header),
    isRight: columns.map(({ value }) => typeof value(rows[0]!) === 'number'),
    maxWidth: format === 'table' && terminal.isTerminal ? terminal.columns : undefined,
    paint: terminal.paint,
  });
  await terminal.print(table);
}

function chooseColumns<Row>(
  columns: readonly Column<Row>[],
  names: readonly string[] | undefined,
  format: string,
): readonly Column<Row>[] {
  if (names !== undefined) return names.map((name) => findColumn(columns, name, '--columns'));
  return format === 'table' ? columns.filter(({ isWide }) => isWide !== true) : columns;
}

function findColumn<Row>(columns: readonly Column<Row>[], name: string, flag: string): Column<Row> {
  const column = columns.find((each) => each.name === name);
  if (column !== undefined) return column;
  const known = columns.map((each) => each.name);
  const message = `${flag} knows ${known.join(', ')}, got ${JSON.stringify(name)}`;
  throw new UsageError(message, { given: name, known });
}

/** Rows in the order that `--sort` asks for, which needs them all, or as they come. */
export function sortRows<Row>(rows: Rows<Row>, { columns }: View<Row>, { given }: Call): Rows<Row> {
  const sort = given.text('sort');
  if (sort === undefined) return rows;
  const [, name = '', direction] = /^(.*?)(?::(asc|desc))?$/.exec(sort)!;
  const { value } = findColumn(columns, name, '--sort');
  const sign = direction === 'desc' ? -1 : 1;
  return sorted(rows, (a, b) => sign * compare(value(a), value(b)));
}

async function* sorted<Row>(rows: Rows<Row>, order: (a: Row, b: Row) => number): AsyncGenerator<Row> {
  yield* (await collect(rows)).sort(order);
}

function compare(a: Scalar, b: Scalar): number {
  return a < b ? -1 : Number(a > b);
}

export async function collect<Row>(rows: Rows<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
