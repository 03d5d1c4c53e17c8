import type { Call } from '../command/command.ts';
import { UsageError } from '../command/errors.ts';
import type { Flags } from '../command/flags.ts';
import { escapeUnprintable } from '../terminal/escape-unprintable.ts';
import type { Paint } from '../terminal/paint.ts';
import type { RowWriter } from './row-writer.ts';
import { type Cell, TableLayout } from './table.ts';
import type { Column, Scalar, View } from './view.ts';

type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

const rowFormats = ['table', 'wide', 'json', 'ndjson', 'csv', 'yaml', 'name'] as const;

/** `moreColumns` ends the help for `--columns`. */
export function rowFlags(columnNames: readonly string[], moreColumns = ''): Flags {
  return {
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: rowFormats,
      about: `${rowFormats.join(', ')} (default table)`,
    },
    columns: {
      type: 'string',
      value: 'A,B,…',
      about: `columns in order: ${columnNames.join(', ')}${moreColumns}`,
    },
    sort: {
      type: 'string',
      value: 'COLUMN[:desc]',
      about: 'sort by a column, on the client',
    },
  };
}

/** Prints rows in the requested format, and streams them where the format allows it. */
export async function printRows<Row>(rows: Rows<Row>, view: View<Row>, call: Call): Promise<void> {
  const format = call.given.text('output') ?? 'table';
  const columns = chooseColumns(view.columns, call.given.list('columns'), format);
  if (format === 'table' || format === 'wide') {
    const all = await collect(rows);
    if (all.length === 0) return call.terminal.tell(view.nothing);
    await view.styled;
    const table = new TableWriter(all, columns, { call, format, lineInstead: view.lineInstead });
    return call.terminal.print(table.header() + table.lines(all));
  }
  await printLines(rows, await lineWriter(view, columns, call), call);
}

async function lineWriter<Row>(
  view: View<Row>,
  columns: readonly Column<Row>[],
  { given, terminal }: Call,
): Promise<RowWriter<Row>> {
  const { createRowWriter } = await import('./row-writer.ts');
  const hasColumns = given.isSet('columns');
  return createRowWriter(given.text('output')!, {
    columns,
    nameOf: view.nameOf,
    dataOf: (row) =>
      hasColumns ? Object.fromEntries(columns.map(({ name, value }) => [name, value(row)])) : row,
    safe: (text) => terminal.safe(text),
  });
}

const flushLength = 1 << 16;

/** Joins small lines into large writes. */
async function printLines<Row>(rows: Rows<Row>, writer: RowWriter<Row>, { terminal }: Call): Promise<void> {
  const { start = '', line, end = '', empty = '' } = writer;
  let text = start;
  let count = 0;
  for await (const row of rows) {
    text += line(row, count++);
    if (text.length < flushLength) continue;
    await terminal.print(text);
    text = '';
  }
  await terminal.print(text + (count === 0 ? empty : '') + end);
}

const followedFormats = ['table', 'wide', 'ndjson', 'csv', 'name'];

/** Prints an endless stream of rows, batch by batch. */
export async function printFollowed<Row>(
  batches: AsyncIterable<readonly Row[]>,
  view: View<Row>,
  call: Call,
): Promise<void> {
  const format = call.given.text('output') ?? 'table';
  if (!followedFormats.includes(format)) {
    throw new UsageError(`a stream has no end: -o must be one of ${followedFormats.join(', ')}`);
  }
  const columns = chooseColumns(view.columns, call.given.list('columns'), format);
  const isTable = format === 'table' || format === 'wide';
  const writer = isTable ? undefined : await lineWriter(view, columns, call);
  let table: TableWriter<Row> | undefined;
  let start = writer?.start ?? '';
  for await (const rows of batches) {
    if (isTable && rows.length === 0) {
      // The first rows give a table its widths, so it begins with them.
      if (table === undefined) await call.terminal.tell(`${view.nothing} yet`);
      continue;
    }
    if (isTable && table === undefined) {
      table = new TableWriter(rows, columns, { call, format });
      start = table.header();
    }
    await call.terminal.print(start + (table?.lines(rows) ?? rows.map(writer!.line).join('')));
    start = '';
  }
}

interface TableContext<Row> {
  readonly call: Call;
  readonly format: string;
  readonly lineInstead?: View<Row>['lineInstead'];
}

/** A table that can grow. */
class TableWriter<Row> {
  readonly #columns: readonly Column<Row>[];
  readonly #notes: readonly Column<Row>[];
  readonly #lineInstead: (row: Row) => string | undefined;
  readonly #paint: Paint;
  readonly #layout: TableLayout;

  constructor(rows: readonly Row[], given: readonly Column<Row>[], context: TableContext<Row>) {
    const { call, format } = context;
    const { terminal } = call;
    this.#paint = terminal.paint;
    this.#lineInstead = context.lineInstead ?? (() => undefined);
    const isChosen = call.given.isSet('columns');
    const isNarrow = format === 'table' && terminal.isTerminal;
    const isNote = ({ isNote }: Column<Row>) => isNote === true && !isChosen;
    const isEmpty = ({ value }: Column<Row>) => rows.every((row) => value(row) === '');
    const columns = given.filter((column) => !isNote(column) || !(isNarrow || isEmpty(column)));
    this.#notes = isNarrow ? given.filter(isNote) : [];
    const isNumber = ({ value }: Column<Row>) => {
      const known = rows.find((row) => value(row) !== '');
      return known !== undefined && typeof value(known) === 'number';
    };
    this.#columns = columns;
    this.#layout = new TableLayout([], {
      headers: columns.map(({ header }) => header),
      isRight: columns.map(isNumber),
      isSpare: columns.map(({ isSpare }) => !isChosen && isSpare === true),
      isPath: columns.map(({ isPath }) => isPath === true),
      maxWidth: isNarrow ? terminal.columns : undefined,
      paint: terminal.paint,
    });
    this.#makeRoom(rows);
  }

  header(): string {
    return this.#layout.header();
  }

  lines(rows: readonly Row[]): string {
    const cells = this.#makeRoom(rows);
    return rows.map((row, at) => this.#line(row, cells[at])).join('');
  }

  /** Returns the cells of the rows that have some. */
  #makeRoom(rows: readonly Row[]): (Cell[] | undefined)[] {
    const cells = rows.map((row) => (this.#lineInstead(row) === undefined ? this.#cells(row) : undefined));
    this.#layout.makeRoom(cells.filter((row) => row !== undefined));
    return cells;
  }

  #line(row: Row, cells: Cell[] | undefined): string {
    if (cells !== undefined) return this.#layout.line(cells) + this.#noteLines(row);
    return `${this.#paint('dim', escapeUnprintable(this.#lineInstead(row)!))}\n`;
  }

  /** Not cut to the width of the terminal, which wraps them. */
  #noteLines(row: Row): string {
    const notes = this.#notes.filter(({ value }) => value(row) !== '');
    return notes
      .map(({ header, value }) => `  ${header.toLowerCase()} ${escapeUnprintable(String(value(row)))}\n`)
      .join('');
  }

  #cells(row: Row): Cell[] {
    return this.#columns.map(({ value, show, style }) => ({
      text: show ? show(row) : String(value(row)),
      style: style?.(row),
    }));
  }
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
  const ending = flag === '--sort' ? ', which may end in :desc' : '';
  const message = `${flag} must be one of ${known.join(', ')}${ending}, got ${JSON.stringify(name)}`;
  throw new UsageError(message, { given: name, known });
}

/** Rows in the order of `--sort`, which needs them all; else as they come. */
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
