import {
  nearestName,
  quote,
  type RecordFault,
  recordFieldNames,
  requiredFieldNames,
  unknownField,
} from '@roster/contract';
import { type CsvRow, isBlank, placeOfCell } from './csv-row-reader.ts';

/** The label of a resource type, which elsewhere is part of `resource_type`. */
export const labelColumn = 'resource_type_label';

const columnNames = [...recordFieldNames, labelColumn];

/** Headers that people use and that are like no name of a column. */
const synonyms = new Map([
  ['created', 'create_time'],
  ['created at', 'create_time'],
  ['hostname', 'name'],
  ['labels', labelColumn],
  ['status', 'state'],
]);

/** The columns of a table: first those that have names, then those that spreadsheets add and nobody filled. */
export interface CsvColumns {
  readonly names: readonly string[];
  /** How many there are, those without a name included. */
  readonly count: number;
}

export function readColumns({ cells }: CsvRow): CsvColumns {
  const last = cells.findLastIndex((name) => !isBlank(name));
  return { names: cells.slice(0, last + 1), count: cells.length };
}

/** Everything that is wrong with a header. */
export function findHeaderFaults(header: CsvRow): RecordFault[] {
  if (header.fault !== undefined) return [{ ...header.fault, field: undefined }];
  const { names } = readColumns(header);
  const reason = findShapeFault(names);
  if (reason !== undefined) return [{ line: header.line, column: 1, field: undefined, reason }];
  return [...findMissing(header, names), ...names.flatMap((name, at) => findNameFaults(header, name, at))];
}

/** What is wrong with a header so that there is no point in looking at each name. */
function findShapeFault(names: readonly string[]): string | undefined {
  const separator = otherSeparator(names);
  if (separator !== undefined) return `the cells must be separated by commas, not by ${separator}`;
  if (names.length <= maxColumns) return undefined;
  return `has ${names.length} names; a record has at most ${columnNames.length} fields`;
}

/** A name that is there but mistyped is not missing as well. */
function findMissing({ line }: CsvRow, names: readonly string[]): RecordFault[] {
  const meant = new Set(names.map((name) => nearestName(toKnown(name), columnNames)));
  return requiredFieldNames
    .filter((name) => !meant.has(name))
    .map((name) => ({ line, column: 1, field: name, reason: 'is required; the header lacks it' }));
}

function findNameFaults(header: CsvRow, name: string, at: number): RecordFault[] {
  const place = placeOfCell(header, at);
  if (isBlank(name)) {
    return [{ ...place, field: undefined, reason: 'this column has no name: name it or delete it' }];
  }
  const first = header.cells.indexOf(name);
  const isKnown = columnNames.includes(name);
  if (isKnown && first === at) return [];
  const reason = isKnown
    ? `is in the header twice, first in column ${placeOfCell(header, first).column}`
    : unknownField(toKnown(name), columnNames);
  return [{ ...place, field: name.slice(0, maxShownName), reason }];
}

function toKnown(name: string): string {
  return synonyms.get(name.trim().toLowerCase().replaceAll('_', ' ')) ?? name;
}

const maxShownName = 80;

/** To look at each of thousands of names would take long, and help nobody. */
const maxColumns = 100;

/** What separates the cells of a header in which no name is known. */
function otherSeparator(names: readonly string[]): string | undefined {
  if (names.some((name) => columnNames.includes(name))) return undefined;
  const text = names.join();
  if (text.includes('\t')) return 'tabs';
  const mark = [';', '|'].find((each) => text.includes(each));
  return mark === undefined ? undefined : quote(mark);
}
