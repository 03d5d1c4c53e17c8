import { quote, restoreCell } from '@roster/contract';
import { type CsvColumns, labelColumn } from './csv-header.ts';
import { type CsvRow, isBlank, placeOfCell } from './csv-row-reader.ts';
import type { Place } from './place.ts';
import { type ReadRecord, type ReadResult, unreadable } from './record-reader.ts';

/** Fields whose empty cell is an empty text, allowed or not. One of another field says nothing. */
const emptyFields = new Set(['product', 'sku', 'gpu_model', 'resource_type', 'resource_id', 'name']);

/** Reads a row below its header. Cells below columns without a name must be blank. */
export function readCsvRecord(row: CsvRow, { names, count }: CsvColumns): ReadResult {
  const { cells, fault } = row;
  if (fault !== undefined) return unreadable(fault, fault.reason);
  if (cells.length < names.length) {
    return unreadable(placeOfCell(row, 0), `has ${cells.length} cells; the header has ${names.length}`);
  }
  // More cells than the header has are no blanks to pass over: a comma without quotes may have shifted them.
  if (cells.length > count) {
    return unreadable(placeOfCell(row, count), `has ${cells.length} cells; the header has ${count}`);
  }
  const filled = cells.findLastIndex((cell) => !isBlank(cell));
  if (filled < names.length) return new CsvRecord(row, names);
  const reason = `this cell has ${quote(cells[filled])}, but its column has no name`;
  return unreadable(placeOfCell(row, filled), reason);
}

class CsvRecord implements ReadRecord {
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
