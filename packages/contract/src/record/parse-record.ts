import { limits } from '../limits.ts';
import { nearestName } from '../nearest-name.ts';
import { quote } from '../quote.ts';
import type { ResourcePatch } from '../resource/resource.ts';
import { recordStationError } from './parse-record-station.ts';
import { type RecordField, recordFieldNames, recordFields, requiredFieldNames } from './record-fields.ts';

/** An error in one record of a batch. */
export interface RecordError {
  /** From 1. */
  readonly line: number;
  /** The character of the line, from 1, where the error starts, if known. */
  readonly column?: number | undefined;
  readonly field: string | undefined;
  readonly reason: string;
}

export type ParsedRecord = { record: ResourcePatch } | { errors: RecordError[] };

export interface ParseRecordOptions {
  /** The path of the station being written; a record that names another one is invalid. */
  readonly station?: string | undefined;
  /** The record changes a stored resource, so it needs no more than an id. */
  readonly isPatch?: boolean | undefined;
}

const patchFieldNames: readonly string[] = ['resource_id'];

/** Validates one record and converts it to its stored form. Reports every error. */
export function parseRecord(input: unknown, line: number, options: ParseRecordOptions = {}): ParsedRecord {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    const reason = `a record must be an object with fields, got ${quote(input)}`;
    return { errors: [{ line, field: undefined, reason }] };
  }
  const given = input as Record<string, unknown>;
  const record: Record<string, unknown> = {};
  const errors: RecordError[] = [];
  for (const name in given) {
    const field = Object.hasOwn(recordFields, name) ? recordFields[name] : undefined;
    const reason =
      name === 'station'
        ? recordStationError(given.station, options.station)
        : field === undefined
          ? unknownReason(name, errors.length)
          : readField(field, given[name], record);
    if (reason !== undefined) errors.push({ line, field: name, reason });
  }
  for (const name of options.isPatch ? patchFieldNames : requiredFieldNames) {
    if (given[name] === undefined || given[name] === null) {
      errors.push({ line, field: name, reason: 'is required' });
    }
  }
  if (errors.length > 0) return { errors };
  return { record: record as unknown as ResourcePatch };
}

function readField(field: RecordField, value: unknown, record: Record<string, unknown>): string | undefined {
  if (value === null) return undefined;
  const reason = field.read(value, record);
  if (reason === undefined) return undefined;
  const nearest = field.nearest?.(value);
  return `${reason}, got ${quote(value)}${nearest === undefined ? '' : `; did you mean ${quote(nearest)}?`}`;
}

/** Finding the nearest name is slow, so only the reported errors get a suggestion. */
function unknownReason(name: string, errorsBefore: number): string {
  const isShown = errorsBefore < limits.maxReportedErrors;
  return isShown ? unknownField(name, recordFieldNames) : 'is not a known field';
}

/** The error for an unknown field, with a suggestion. */
export function unknownField(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest
    ? `is not a known field; did you mean ${quote(nearest)}?`
    : `is not a known field; known fields are ${known.join(', ')}`;
}
