export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
}

/** Plain text, columns as wide as their longest cell. An empty row becomes an empty line. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const renderRow = (cells: readonly string[]) =>
    cells
      .map((cell, index) =>
        columns[index]!.align === 'left' ? cell.padEnd(widths[index]!) : cell.padStart(widths[index]!),
      )
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return [renderRow(columns.map((column) => column.title)), rule, ...rows.map(renderRow)].join('\n');
}
