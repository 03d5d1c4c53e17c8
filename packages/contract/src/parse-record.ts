import { limits } from './limits.ts';
import { nearestName } from './nearest-name.ts';
import { recordStationFault } from './parse-record-station.ts';
import { quote } from './quote.ts';
import { type RecordField, recordFieldNames, recordFields, requiredFieldNames } from './record-fields.ts';
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

export interface ParseRecordOptions {
  /** The path of the station that is written to; a record that names another one is at fault. */
  readonly station?: string | undefined;
}

/** Checks one record as it was read and puts it in the form that is stored. Reports every fault in it. */
export function parseRecord(input: unknown, line: number, options: ParseRecordOptions = {}): ParsedRecord {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    const reason = `a record must be an object with fields, got ${quote(input)}`;
    return { faults: [{ line, field: undefined, reason }] };
  }
  const given = input as Record<string, unknown>;
  const record: Record<string, unknown> = {};
  const faults: RecordFault[] = [];
  for (const name in given) {
    const field = Object.hasOwn(recordFields, name) ? recordFields[name] : undefined;
    const reason =
      name === 'station'
        ? recordStationFault(given.station, options.station)
        : field === undefined
          ? unknownReason(name, faults.length)
          : readField(field, given[name], record);
    if (reason !== undefined) faults.push({ line, field: name, reason });
  }
  for (const name of requiredFieldNames) {
    if (given[name] === undefined || given[name] === null) {
      faults.push({ line, field: name, reason: 'is required' });
    }
  }
  if (faults.length > 0) return { faults };
  return { record: record as unknown as ResourceRecord };
}

function readField(field: RecordField, value: unknown, record: Record<string, unknown>): string | undefined {
  if (value === null) return undefined;
  const reason = field.read(value, record);
  return reason === undefined ? undefined : `${reason}, got ${quote(value)}`;
}

/** Looking for the nearest name takes long, so a record with thousands of fields gets it for a few. */
function unknownReason(name: string, faultsBefore: number): string {
  const isShown = faultsBefore < limits.maxReportedFaults;
  return isShown ? unknownField(name, recordFieldNames) : 'is not a known field';
}

/** Why a name is no field, with the known one that was probably meant. */
export function unknownField(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest
    ? `is not a known field; did you mean ${quote(nearest)}?`
    : `is not a known field; known fields are ${known.join(', ')}`;
}
