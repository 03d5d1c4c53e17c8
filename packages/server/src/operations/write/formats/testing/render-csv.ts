import { neutraliseCell } from '@roster/contract';
import fc from 'fast-check';

export interface CsvStyle {
  readonly columns: readonly string[];
  readonly newline: string;
  /** Whether a cell is quoted that need not be; used over and over. */
  readonly quoted: readonly boolean[];
  readonly endsWithNewline: boolean;
}

const columns = [
  ...['resource_id', 'name', 'display_name', 'resource_type', 'resource_type_label', 'product', 'sku'],
  ...['gpu_model', 'state', 'alert_rules_count', 'create_time', 'alertable'],
];

export const csvStyle: fc.Arbitrary<CsvStyle> = fc.record({
  columns: fc.shuffledSubarray(columns, { minLength: columns.length }),
  newline: fc.constantFrom('\n', '\r\n', '\n\n'),
  quoted: fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
  endsWithNewline: fc.boolean(),
});

/** Writes records as CSV in a given style. */
export function renderCsv(records: readonly object[], style: CsvStyle): string {
  let count = 0;
  const renderCell = (cell: string) => {
    const isQuoted = style.quoted[count++ % style.quoted.length]! || /[",\r\n]/.test(cell);
    return isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell;
  };
  const rows = [style.columns, ...records.map((record) => cellsOf(record, style.columns))];
  const text = rows.map((cells) => cells.map(renderCell).join(',')).join(style.newline);
  return style.endsWithNewline ? text + style.newline : text;
}

function cellsOf(record: object, names: readonly string[]): string[] {
  const values = { ...record } as Record<string, unknown>;
  const type = values.resource_type;
  if (typeof type === 'object' && type !== null) {
    const { key, label } = type as { key: unknown; label: unknown };
    Object.assign(values, { resource_type: key, resource_type_label: label });
  }
  return names.map((name) => neutraliseCell(String(values[name] ?? '')));
}
