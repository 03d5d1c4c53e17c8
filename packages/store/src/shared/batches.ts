import { defaultLocale, type ResourceType, resourceDefaults } from '@roster/contract';
import type { BatchOptions } from '@roster/engine/port';
import { optionalColumnNames } from './resource-columns.ts';

export interface StagedBatch {
  readonly stationId: number;
  /** The batch also removes every resource that it does not name. */
  readonly replaces: boolean;
  /** The batch creates no resources, and its records may omit all but their id. */
  readonly patches: boolean;
}

export interface BatchToCommit extends StagedBatch {
  readonly count: number;
  readonly seenTypes: SeenTypes;
  readonly options: BatchOptions;
}

/** How a batch differs from the station. The rows themselves are in the tables `changing` and `leaving`. */
export interface BatchDifference {
  readonly created: number;
  readonly updated: number;
  /** How many of the updated resources get another name. */
  readonly renamed: number;
  readonly removed: number;
}

/** The SQL condition that a staged record `s` changes the resource `r`. */
export const recordDiffers = ['name', 'type_key', ...optionalColumnNames]
  .map((column) => `r.${column} <> s.${column}`)
  .join(' OR ');

/** The types of a batch, each with the first label given for it. */
export type SeenTypes = ReadonlyMap<string, string | undefined>;

/** Adds a type, or the first label of a known one. */
export function noteType(
  seen: Map<string, string | undefined>,
  typeKey: string,
  label: string | undefined,
): void {
  if (seen.get(typeKey) !== undefined) return;
  if (label !== undefined || !seen.has(typeKey)) seen.set(typeKey, label);
}

/** The catalog entry for a new type of a batch. */
export function seenType(seen: SeenTypes, key: string): ResourceType {
  const label = seen.get(key);
  const { product, alertable } = resourceDefaults;
  return { key, labels: label === undefined ? {} : { [defaultLocale]: label }, product, alertable };
}
