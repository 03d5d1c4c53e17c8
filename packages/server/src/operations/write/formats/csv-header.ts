import {
  labelKeyError,
  nearestName,
  quote,
  type RecordError,
  recordFieldNames,
  requiredFieldNames,
  unknownField,
} from '@roster/contract';
import { type CsvRow, isBlank, positionOfCell } from './csv-rows.ts';

/** The label of a resource type, which elsewhere is part of `resource_type`. */
export const labelColumn = 'resource_type_label';

const columnNames = [...recordFieldNames, labelColumn];

/** Begins the name of a column with the values of one label, such as `labels.rack`. */
export const labelsPrefix = 'labels.';

/** Headers in common use that are spelt like none of our columns. */
const synonyms = new Map([
  ['created', 'create_time'],
  ['created at', 'create_time'],
  ['hostname', 'name'],
  ['status', 'state'],
]);

/** The columns of a table. Spreadsheets add empty ones without a name at the end. */
export interface CsvColumns {
  readonly names: readonly string[];
  /** Including those without a name. */
  readonly count: number;
}

export function readColumns({ cells }: CsvRow): CsvColumns {
  const last = cells.findLastIndex((name) => !isBlank(name));
  return { names: cells.slice(0, last + 1), count: cells.length };
}

export function findHeaderErrors(header: CsvRow): RecordError[] {
  if (header.error !== undefined) return [{ ...header.error, field: undefined }];
  const { names } = readColumns(header);
  const reason = findShapeError(names);
  if (reason !== undefined) return [{ line: header.line, column: 1, field: undefined, reason }];
  return [...findMissing(header, names), ...names.flatMap((name, at) => findNameErrors(header, name, at))];
}

/** An error that makes it pointless to look at each name. */
function findShapeError(names: readonly string[]): string | undefined {
  const separator = otherSeparator(names);
  if (separator !== undefined) return `uses ${separator} between cells: separate them with commas`;
  if (names.includes('labels') && names.some((name) => name.startsWith(labelsPrefix))) {
    return 'has labels in one column and in columns of their own; keep one of the two';
  }
  if (names.length <= maxColumns) return undefined;
  return `has ${names.length} names; a record has at most ${columnNames.length} fields`;
}

/** A misspelt name does not count as missing. */
function findMissing({ line }: CsvRow, names: readonly string[]): RecordError[] {
  const meant = new Set(names.map((name) => nearestName(toKnown(name), columnNames)));
  return requiredFieldNames
    .filter((name) => !meant.has(name))
    .map((name) => ({ line, column: 1, field: name, reason: 'is required, but is not in the header' }));
}

function findNameErrors(header: CsvRow, name: string, at: number): RecordError[] {
  const position = positionOfCell(header, at);
  if (isBlank(name)) {
    return [{ ...position, field: undefined, reason: 'this column has no name: name it or delete it' }];
  }
  const first = header.cells.indexOf(name);
  const labelError = name.startsWith(labelsPrefix)
    ? labelKeyError(name.slice(labelsPrefix.length))
    : undefined;
  const isKnown = columnNames.includes(name) || (name.startsWith(labelsPrefix) && labelError === undefined);
  if (isKnown && first === at) return [];
  const reason = isKnown
    ? `is in the header twice, first in column ${positionOfCell(header, first).column}`
    : labelError === undefined
      ? unknownField(toKnown(name), columnNames)
      : `names a label whose key ${labelError}`;
  return [{ ...position, field: name.slice(0, maxShownName), reason }];
}

function toKnown(name: string): string {
  return synonyms.get(name.trim().toLowerCase().replaceAll('_', ' ')) ?? name;
}

const maxShownName = 80;

/** Searching the nearest name for each of thousands would take long. */
const maxColumns = 100;

/** The separator of a header in which no name is known. */
function otherSeparator(names: readonly string[]): string | undefined {
  if (names.some((name) => columnNames.includes(name))) return undefined;
  const text = names.join();
  if (text.includes('\t')) return 'tabs';
  const mark = [';', '|'].find((each) => text.includes(each));
  return mark === undefined ? undefined : quote(mark);
}
