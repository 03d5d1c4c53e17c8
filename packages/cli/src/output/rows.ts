import type { Call, Flags } from '../command.ts';
import { UsageError } from '../errors.ts';
import { csvLine } from './csv.ts';
import { jsonText } from './json.ts';
import type { Style } from './paint.ts';
import { renderTable } from './table.ts';
import { yamlItem } from './yaml.ts';

type Scalar = string | number | boolean;

/** One column of what a command shows. */
interface Column<Row> {
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
  const chosen = chooseColumns(view.columns, call.given.list('columns'), format);
  if (format === 'table' || format === 'wide')
    return printTable(await collect(rows), chosen, { view, call, format });
  const { terminal } = call;
  const hasColumns = call.given.isSet('columns');
  const pick = (row: Row): unknown =>
    hasColumns ? Object.fromEntries(chosen.map(({ name, value }) => [name, value(row)])) : row;
  await new LinePrinter(call).printAll(rows, writerOf(format));

  function writerOf(format: string): RowWriter<Row> {
    switch (format) {
      case 'json':
        return {
          head: '[',
          line: (row, at) => `${at ? ',' : ''}\n${indent(jsonText(pick(row), 2))}`,
          foot: '\n]\n',
        };
      case 'ndjson':
        return { line: (row) => `${jsonText(pick(row))}\n` };
      case 'yaml':
        return { line: (row) => yamlItem(pick(row)), empty: '[]\n' };
      case 'csv':
        return {
          head: csvLine(chosen.map(({ name }) => name)),
          line: (row) => csvLine(chosen.map(({ value }) => terminal.safe(String(value(row))))),
        };
      default:
        return { line: (row) => `${terminal.safe(view.nameOf(row))}\n` };
    }
  }
}

interface RowWriter<Row> {
  readonly head?: string;
  readonly line: (row: Row, at: number) => string;
  readonly foot?: string;
  /** Instead of no lines at all. */
  readonly empty?: string;
}

const flushLength = 1 << 16;

/** Writes many small lines in few large parts. */
class LinePrinter {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  async printAll<Row>(
    rows: Rows<Row>,
    { head = '', line, foot = '', empty = '' }: RowWriter<Row>,
  ): Promise<void> {
    let text = head;
    let count = 0;
    for await (const row of rows) {
      text += line(row, count++);
      if (text.length < flushLength) continue;
      await this.#call.terminal.print(text);
      text = '';
    }
    await this.#call.terminal.print(text + (count === 0 ? empty : '') + foot);
  }
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

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
