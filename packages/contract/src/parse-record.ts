import { nearestName } from './nearest-name.ts';
import { quote } from './quote.ts';
import { recordFieldNames, recordFields } from './record-fields.ts';
import type { ResourceRecord } from './resource.ts';

/** One thing wrong with one record of a batch. */
export interface RecordFault {
  /** From 1. */
  readonly line: number;
  /** The character of the line at which what is wrong begins, from 1, where it is known. */
  readonly column?: number | undefined;
  readonly field: string | undefined;
  readonly reason: string;
}

export type ParsedRecord = { record: ResourceRecord } | { faults: RecordFault[] };

/** Checks one record as it came out of JSON and puts it in the form that is stored. Reports every fault in it. */
export function parseRecord(input: unknown, line: number): ParsedRecord {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    const reason = `a record must be a JSON object, got ${quote(input)}`;
    return { faults: [{ line, field: undefined, reason }] };
  }
  const record: Record<string, unknown> = {};
  const faults: RecordFault[] = [];
  for (const name in input) {
    const value = (input as Record<string, unknown>)[name];
    const field = Object.hasOwn(recordFields, name) ? recordFields[name] : undefined;
    if (field === undefined) faults.push({ line, field: name, reason: unknownField(name) });
    else if (value !== null) {
      const reason = field.read(value, record);
      if (reason !== undefined) faults.push({ line, field: name, reason: `${reason}, got ${quote(value)}` });
    }
  }
  for (const name of requiredFields) {
    const value = (input as Record<string, unknown>)[name];
    if (value === undefined || value === null) faults.push({ line, field: name, reason: 'is required' });
  }
  if (faults.length > 0) return { faults };
  return { record: record as unknown as ResourceRecord };
}

const requiredFields = ['resource_type', 'resource_id', 'name'];

function unknownField(name: string): string {
  const nearest = nearestName(name, recordFieldNames);
  return nearest
    ? `is not a known field; did you mean ${quote(nearest)}?`
    : `is not a known field; known fields are ${recordFieldNames.join(', ')}`;
}
