import { csvLine } from './csv.ts';
import { jsonText } from './json.ts';
import type { Column } from './view.ts';
import { yamlItem } from './yaml.ts';

/** How rows become text. */
export interface RowWriter<Row> {
  readonly start?: string;
  readonly line: (row: Row, at: number) => string;
  readonly end?: string;
  /** Printed when there are no rows. */
  readonly empty?: string;
}

interface WriterOptions<Row> {
  readonly columns: readonly Column<Row>[];
  readonly nameOf: (row: Row) => string;
  /** The row as structured formats print it. */
  readonly dataOf: (row: Row) => unknown;
  /** Escapes text for a terminal. */
  readonly safe: (text: string) => string;
}

export function createRowWriter<Row>(format: string, options: WriterOptions<Row>): RowWriter<Row> {
  const { columns, nameOf, dataOf, safe } = options;
  switch (format) {
    case 'json':
      return {
        start: '[',
        line: (row, at) => `${at > 0 ? ',' : ''}\n${jsonText(dataOf(row), 2).replace(/^/gm, '  ')}`,
        end: '\n]\n',
      };
    case 'ndjson':
      return { line: (row) => `${jsonText(dataOf(row))}\n` };
    case 'yaml':
      return { line: (row) => yamlItem(dataOf(row)), empty: '[]\n' };
    case 'csv':
      return {
        start: csvLine(columns.map(({ name }) => name)),
        line: (row) => csvLine(columns.map(({ value }) => safe(String(value(row))))),
      };
    default:
      return { line: (row) => `${safe(nameOf(row))}\n` };
  }
}
