import { labelColumn } from './csv-header.ts';
import { type CsvRow, placeOfCell } from './csv-row-reader.ts';
import type { Place } from './place.ts';
import type { ReadRecord } from './record-reader.ts';
import { restoreCell } from './spreadsheet-cell.ts';

/** Fields whose empty cell is an empty text, allowed or not. One of another field says nothing. */
const emptyFields = new Set(['product', 'sku', 'gpu_model', 'resource_type', 'resource_id', 'name']);

/** A row below the names of its columns. */
export class CsvRecord implements ReadRecord {
  readonly line: number;
  readonly column = 1;
  readonly value: Record<string, unknown>;
  readonly #row: CsvRow;
  readonly #names: readonly string[];

  constructor(row: CsvRow, names: readonly string[]) {
    this.line = row.line;
    this.value = toRecord(row.cells, names);
    this.#row = row;
    this.#names = names;
  }

  placeOf(field: string): Place | undefined {
    const index = this.#names.indexOf(field);
    return index === -1 ? undefined : placeOfCell(this.#row, index);
  }
}

function toRecord(cells: readonly string[], names: readonly string[]): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  let label = '';
  for (let at = 0; at < names.length; at++) {
    const name = names[at]!;
    const cell = restoreCell(cells[at]!);
    if (name === labelColumn) label = cell;
    else if (cell !== '' || emptyFields.has(name))
      record[name] = name === 'alertable' ? toSwitch(cell) : cell;
  }
  if (label !== '') record.resource_type = { key: record.resource_type, label };
  return record;
}

/** Spreadsheets write TRUE and FALSE. What is neither stays as it is, for the check to refuse. */
function toSwitch(cell: string): unknown {
  const word = cell.toLowerCase();
  return word === 'true' || word === 'false' ? word === 'true' : cell;
}
