import { csvLine } from './csv.ts';
import { jsonText } from './json.ts';
import type { Column } from './rows.ts';
import { yamlItem } from './yaml.ts';

/** How rows become text. */
export interface RowWriter<Row> {
  readonly head?: string;
  readonly line: (row: Row, at: number) => string;
  readonly foot?: string;
  /** Instead of no lines at all. */
  readonly empty?: string;
}

interface WriterOptions<Row> {
  readonly columns: readonly Column<Row>[];
  readonly nameOf: (row: Row) => string;
  /** What the formats that keep structure show of a row. */
  readonly dataOf: (row: Row) => unknown;
  /** Text as it may go to where the rows go. */
  readonly safe: (text: string) => string;
}

export function createRowWriter<Row>(format: string, options: WriterOptions<Row>): RowWriter<Row> {
  const { columns, nameOf, dataOf, safe } = options;
  switch (format) {
    case 'json':
      return {
        head: '[',
        line: (row, at) => `${at > 0 ? ',' : ''}\n${jsonText(dataOf(row), 2).replace(/^/gm, '  ')}`,
        foot: '\n]\n',
      };
    case 'ndjson':
      return { line: (row) => `${jsonText(dataOf(row))}\n` };
    case 'yaml':
      return { line: (row) => yamlItem(dataOf(row)), empty: '[]\n' };
    case 'csv':
      return {
        head: csvLine(columns.map(({ name }) => name)),
        line: (row) => csvLine(columns.map(({ value }) => safe(String(value(row))))),
      };
    default:
      return { line: (row) => `${safe(nameOf(row))}\n` };
  }
}
