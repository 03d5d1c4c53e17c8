import {
  quote,
  type RecordFault,
  recordFieldNames,
  requiredFieldNames,
  unknownField,
} from '@roster/contract';
import { type CsvRow, placeOfCell } from './csv-row-reader.ts';

/** The label of a resource type, which elsewhere is part of `resource_type`. */
export const labelColumn = 'resource_type_label';

const columnNames = [...recordFieldNames, labelColumn];

/** Everything that is wrong with a header. */
export function findHeaderFaults(header: CsvRow): RecordFault[] {
  if (header.fault !== undefined) return [{ ...header.fault, field: undefined }];
  const separator = otherSeparator(header.cells);
  if (separator !== undefined) {
    const reason = `the cells must be separated by commas, not by ${separator}`;
    return [{ line: header.line, column: 1, field: undefined, reason }];
  }
  if (header.cells.length > maxColumns) {
    const reason = `has ${header.cells.length} names; a record has at most ${columnNames.length} fields`;
    return [{ line: header.line, column: 1, field: undefined, reason }];
  }
  const missing = requiredFieldNames
    .filter((name) => !header.cells.includes(name))
    .map((name) => ({
      line: header.line,
      column: 1,
      field: name,
      reason: 'is required; the header lacks it',
    }));
  return [...missing, ...header.cells.flatMap((name, at) => findNameFaults(header, name, at))];
}

function findNameFaults(header: CsvRow, name: string, at: number): RecordFault[] {
  const first = header.cells.indexOf(name);
  const isKnown = columnNames.includes(name);
  if (isKnown && first === at) return [];
  const reason = isKnown
    ? `is in the header twice, first in column ${placeOfCell(header, first).column}`
    : unknownField(name, columnNames);
  return [{ ...placeOfCell(header, at), field: name.slice(0, maxShownName), reason }];
}

const maxShownName = 80;

/** To look at each of thousands of names would take long, and help nobody. */
const maxColumns = 100;

/** What separates the cells of a header in which no name is known. */
function otherSeparator(cells: readonly string[]): string | undefined {
  if (cells.some((name) => columnNames.includes(name))) return undefined;
  const text = cells.join();
  if (text.includes(';')) return quote(';');
  return text.includes('\t') ? 'tabs' : undefined;
}
